export { OrderFeed } from "./orders/order-feed.server.ts";

import { productionServices } from "./worker/production-services.server.ts";
import { shopWorker } from "./worker/worker.server.ts";

/** The production Worker. */
export default shopWorker(productionServices);
