import { useCustomer } from "#app/auth/use-customer.ts";
import { isBuyer } from "#app/tab/buyer.ts";
import { useTab } from "#app/tab/tab.ts";
import type { PaidOrder } from "#app/tab/tab-state.ts";

/** Returns the tab's receipt, if the page is its buyer's as far as the server knows. */
export function useReceipt(): PaidOrder | null {
	const customer = useCustomer();
	const receipt = useTab(({ receipt }) => receipt);
	return receipt && (customer === undefined || isBuyer(receipt.buyer, customer?.id ?? null)) ? receipt : null;
}
