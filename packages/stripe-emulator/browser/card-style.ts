import type { StripeElementCSSProperties, StripeElementStyle } from "@stripe/stripe-js";

const variants = ["base", "empty", "complete", "invalid"] as const;
const pseudos = [":hover", ":focus", "::placeholder", "::selection", ":-webkit-autofill", ":disabled"] as const;

const sheet = new CSSStyleSheet();

/** Dresses the card frame in the style the page asks for. It goes through the CSSOM, property by property: the frame's
 *  Content-Security-Policy lets no text become a style. */
export function applyStyle(style: StripeElementStyle): void {
	sheet.replaceSync("");
	for (const variant of variants) {
		const properties = style[variant];
		if (!properties) continue;
		const selector = variant === "base" ? "input" : `input.${variant}`;
		addRule(selector, properties);
		addRule(variant === "base" ? ".brand" : `.brand.${variant}`, { color: properties.iconColor });
		for (const pseudo of pseudos) addRule(selector + pseudo, properties[pseudo] ?? {});
	}
	// The columns are as wide as the type is large.
	addRule(".fields", { fontSize: style.base?.fontSize, fontFamily: style.base?.fontFamily });
	addRule("body", { color: style.base?.color });
	document.adoptedStyleSheets = [sheet];
}

type Properties = { [Name in keyof StripeElementCSSProperties]?: StripeElementCSSProperties[Name] | undefined };

function addRule(selector: string, properties: Properties): void {
	const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)];
	if (!(rule instanceof CSSStyleRule)) return;
	for (const [name, value] of Object.entries(properties)) {
		if (typeof value !== "string" && typeof value !== "number") continue;
		const property = name === "fontSmoothing" ? "-webkit-font-smoothing" : name.replaceAll(/[A-Z]/g, "-$&");
		rule.style.setProperty(property.toLowerCase(), String(value));
	}
}
