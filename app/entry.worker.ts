import { realOutside, shopWorker } from "./worker.server.ts";

/** The shop in production. */
export default shopWorker(realOutside);
