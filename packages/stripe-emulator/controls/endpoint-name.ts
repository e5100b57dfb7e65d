import { z } from "zod";
import { routes } from "../api/requests.ts";

/** The name of an API endpoint, such as `payment_intents.confirm`. */
export const endpointName = z.enum(routes.map(({ name }) => name));
