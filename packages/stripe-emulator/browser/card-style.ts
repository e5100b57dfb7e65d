import type { StripeElementCSSProperties, StripeElementStyle } from "@stripe/stripe-js";

const variants = ["base", "empty", "complete", "invalid"] as const;
const pseudos = [":hover", ":focus", "::placeholder", "::selection", ":-webkit-autofill", ":disabled"] as const;

/** The frame's own stylesheet, to which the rules are added, and the number of its own rules. */
const [sheet] = document.styleSheets;
const ownRules = sheet?.cssRules.length ?? 0;

/** Applies the Element's `style` option. Sets each property through the CSSOM, because the frame's
 *  Content-Security-Policy blocks inline styles. */
export function applyStyle(style: StripeElementStyle): void {
	while (sheet && sheet.cssRules.length > ownRules) sheet.deleteRule(ownRules);
	for (const variant of variants) {
		const rules = style[variant];
		if (!rules) continue;
		const selector = variant === "base" ? "input" : `input.${variant}`;
		addRule(selector, rules);
		for (const pseudo of pseudos) addRule(selector + pseudo, rules[pseudo] ?? {});
	}
	addRule(".brand", { color: style.base?.iconColor });
	addRule(".brand.invalid", { color: style.invalid?.iconColor });
	// the column widths are in em
	addRule(".fields", { fontSize: style.base?.fontSize, fontFamily: style.base?.fontFamily });
	addRule("body", { color: style.base?.color });
}

type Properties = { [Name in keyof StripeElementCSSProperties]?: StripeElementCSSProperties[Name] | undefined };

function addRule(selector: string, properties: Properties): void {
	const rule = sheet?.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)];
	if (!(rule instanceof CSSStyleRule)) return;
	for (const [name, value] of Object.entries(properties)) {
		if (typeof value !== "string" && typeof value !== "number") continue;
		const property = name === "fontSmoothing" ? "-webkit-font-smoothing" : name.replaceAll(/[A-Z]/g, "-$&");
		rule.style.setProperty(property.toLowerCase(), String(value));
	}
}
