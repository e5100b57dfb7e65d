import style from "../browser/card-frame.css?raw";
import script from "../browser/card-frame.ts?script";
import { frameResponse } from "./frame-response.ts";

const body = `<form novalidate>
<div class="fields">
<span class="brand" role="img" aria-label="Card"></span>
${input("cardnumber", "cc-number", "Credit or debit card number", "Card number")}
${input("exp-date", "cc-exp", "Credit or debit card expiration date", "MM / YY")}
${input("cvc", "cc-csc", "Credit or debit card CVC/CVV", "CVC")}
</div>
</form>`;

/** Returns the document with the fields of the CardElement. */
export function cardFrame(url: URL): Promise<Response> {
	return frameResponse(url, { title: "Secure card payment input frame", body, style, script });
}

function input(name: string, autocomplete: string, label: string, placeholder: string): string {
	return `<span class="field" data-name="${name}">
<input name="${name}" autocomplete="${autocomplete}" inputmode="numeric" placeholder="${placeholder}" aria-label="${label}" aria-invalid="false" aria-describedby="${name}-problem" spellcheck="false">
<span id="${name}-problem" class="problem"></span>
</span>`;
}
