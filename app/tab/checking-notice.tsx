import { checkingNotice, isPaying } from "./purchase.ts";
import { useTab } from "./tab.ts";

/** Returns whether this tab's payment is being checked, outside the card form. */
export const useIsChecking = () => useTab(({ purchase }) => isPaying(purchase));

/** Renders the notice of a payment that is being checked, on a page that shows a basket or orders. */
export function CheckingNotice({ isShown }: { isShown: boolean }) {
	return isShown && <p className="sheet">{checkingNotice}</p>;
}
