import { useCustomer } from "./use-customer.ts";

/** Renders the customer's email, which a browser must not translate, or "Guest". */
export function CustomerName() {
	const customer = useCustomer();
	return <span translate={customer ? "no" : "yes"}>{customer?.email ?? "Guest"}</span>;
}
