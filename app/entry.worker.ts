export { OrderFeed } from "./orders/order-feed.server.ts";

import { productionServices, shopWorker } from "./worker.server.ts";

/** The shop in production. */
export default shopWorker(productionServices);
