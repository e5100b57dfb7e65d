import { useRouteLoaderData } from "react-router";
import type { Customer } from "./customer.server.ts";

/** The id of the route that loads the customer (see routes.ts). */
export const customerRoute = "customer";

/** Returns the customer as loaded with every page; null for a guest, undefined if D1 failed or was too slow. */
export function useCustomer(): Customer | null | undefined {
	return useRouteLoaderData<{ customer?: Customer | null }>(customerRoute)?.customer;
}
