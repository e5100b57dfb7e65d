import { useCustomer } from "./use-customer.ts";

/** Renders the customer's email, which a browser must not translate, "Guest", or "…" while it is unknown. */
export function CustomerName() {
	const customer = useCustomer();
	return <span translate={customer ? "no" : "yes"}>{customer === undefined ? "…" : (customer?.email ?? "Guest")}</span>;
}
