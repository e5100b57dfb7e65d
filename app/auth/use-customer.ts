import { useRouteLoaderData } from "react-router";
import type { Customer } from "./customer.server.ts";

/** Returns the signed-in customer, as loaded by the server; null for a guest, or if the customer could not be loaded. */
export function useCustomer(): Customer | null {
	return useRouteLoaderData<{ customer: Customer | null }>("shell/shop")?.customer ?? null;
}
