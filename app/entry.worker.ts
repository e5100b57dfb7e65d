export { OrderFeed } from "./orders/order-feed.server.ts";

import { productionServices, shopWorker } from "./worker.server.ts";

/** The production Worker. */
export default shopWorker(productionServices);
