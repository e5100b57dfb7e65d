export { OrderFeed } from "./orders/order-feed.server.ts";

import { productionServices } from "./production-services.server.ts";
import { shopWorker } from "./worker.server.ts";

/** The production Worker. */
export default shopWorker(productionServices);
