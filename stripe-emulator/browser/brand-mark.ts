import type { CardBrand } from "../objects/card-number.ts";

const marks: Readonly<Record<CardBrand, string>> = {
	visa: "VISA",
	mastercard: "MC",
	amex: "AMEX",
	discover: "DISC",
	diners: "DINR",
	jcb: "JCB",
	unionpay: "UPAY",
};

/** Shows whose card it is beside the number, as soon as its first digits tell. */
export function showBrand(brand: CardBrand | "unknown", invalid: boolean): void {
	const icon = document.querySelector(".brand");
	if (!icon) throw new Error("The card frame has no place for the brand.");
	icon.classList.toggle("invalid", invalid);
	icon.textContent = brand === "unknown" ? "" : marks[brand];
	icon.setAttribute("aria-label", brand === "unknown" ? "Card" : brand);
}
