import type { Appearance } from "@stripe/stripe-js";

const sheet = new CSSStyleSheet();
const selectors =
	/^\.[A-Z][A-Za-z]*(--[a-zA-Z]+)?(:(hover|focus|focus-visible|active|disabled|autofill))?(::(placeholder|selection))?$/;
const properties =
	/^(background-color|border|box-shadow|color|fill|font|letter-spacing|line-height|margin|opacity|outline|padding|text-|transition|-webkit-font-smoothing|-moz-osx-font-smoothing)/;

/** Applies the group's `appearance` option: the theme, the variables as custom properties, and the rules. Each value
 *  is set through the CSSOM as one property of an allowed name, so that it cannot select inputs by their value or load
 *  anything. Logs a warning for a rule that is not applied. */
export function applyAppearance({ theme = "stripe", variables = {}, rules = {} }: Appearance): void {
	document.documentElement.dataset["theme"] = theme;
	sheet.replaceSync("");
	const custom = addRule(":root[data-theme]");
	for (const [name, value] of Object.entries(variables)) {
		if (/^[a-zA-Z\d]+$/.test(name)) set(custom, `--${name}`, value, `variable ${name}`);
	}
	for (const [selector, declarations] of Object.entries(rules)) {
		const rule = selectors.test(selector) ? addRule(selector) : undefined;
		if (!rule) console.warn(`The Stripe emulator does not apply the appearance rule ${selector}.`);
		for (const [name, value] of Object.entries(rule ? declarations : {})) {
			const property = name.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
			const allowed = properties.test(property) ? rule : undefined;
			set(allowed, property, value, `property ${name} of ${selector}`);
		}
	}
	document.adoptedStyleSheets = [sheet];
}

function addRule(selector: string): CSSStyleRule | undefined {
	const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)];
	return rule instanceof CSSStyleRule ? rule : undefined;
}

function set(rule: CSSStyleRule | undefined, property: string, value: unknown, described: string): void {
	const text = typeof value === "number" ? String(value) : value;
	if (rule && typeof text === "string" && !/url|image|[\\@;{}<]/i.test(text)) rule.style.setProperty(property, text);
	else console.warn(`The Stripe emulator does not apply the appearance ${described}.`);
}
