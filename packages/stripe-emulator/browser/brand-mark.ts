import type { CardBrand } from "../objects/card-number.ts";

const brands: Readonly<Record<CardBrand, { name: string; mark: string }>> = {
	visa: { name: "Visa", mark: "VISA" },
	mastercard: { name: "Mastercard", mark: "MC" },
	amex: { name: "American Express", mark: "AMEX" },
	discover: { name: "Discover", mark: "DISC" },
	diners: { name: "Diners Club", mark: "DINR" },
	jcb: { name: "JCB", mark: "JCB" },
	unionpay: { name: "UnionPay", mark: "UPAY" },
};

export function brandName(brand: CardBrand | "unknown"): string {
	return brand === "unknown" ? "Card" : brands[brand].name;
}

/** Shows the brand's mark beside the number. */
export function showBrand(brand: CardBrand | "unknown", invalid: boolean): void {
	const icon = document.querySelector(".brand");
	icon?.classList.toggle("invalid", invalid);
	icon?.replaceChildren(brand === "unknown" ? "" : brands[brand].mark);
	icon?.setAttribute("aria-label", brandName(brand));
}
