import { useRouteLoaderData } from "react-router";
import type { Customer } from "./customer.server.ts";

/** Returns the signed-in customer, as loaded by the server; null for a guest, and undefined while it is unknown which
 *  of the two the shopper is. */
export function useCustomer(): Customer | null | undefined {
	return useRouteLoaderData<{ customer?: Customer | null }>("shell/frame")?.customer;
}
