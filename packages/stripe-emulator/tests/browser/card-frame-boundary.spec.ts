import type { Page } from "@playwright/test";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { expect, test } from "../support/browser.ts";
import { eventsOf, field, openCardPage, resultOf } from "../support/card-page.ts";

const card = { cardnumber: "378282246310005", "exp-date": "08 / 41", cvc: "7351" };

/** Any six digits of the number, the expiry in several formats, and the security code. */
const digits = Array.from({ length: 10 }, (_, start) => card.cardnumber.slice(start, start + 6));
const secret = new RegExp(`${digits.join("|")}|(?<!\\w)(08/?(20)?41|2041|7351)(?!\\w)`);

/** Returns what was observed as text without spaces and hyphens, and without the fields that Stripe's API returns by
 *  design: the last four digits and the expiry of a payment method. */
function textOf(observed: unknown): string {
	const text = JSON.stringify(observed, (name, value) =>
		["last4", "exp_month", "exp_year"].includes(name) ? undefined : value,
	);
	return text.replaceAll(/[\s-]/g, "");
}

/** Returns the requests and console messages from now on, except the card frame's confirmations. */
function observe(page: Page): unknown[] {
	const observed: unknown[] = [];
	page.on("console", (message) => observed.push(message.text()));
	page.on("request", (request) => {
		const { pathname } = new URL(request.url());
		const isConfirmation = /^\/stripe-emulator\/v1\/payment_intents\/pi_\w+\/confirm$/.test(pathname);
		if (request.frame() !== page.mainFrame() && isConfirmation) return;
		observed.push(request.url(), request.headers(), request.postData());
	});
	return observed;
}

test("the page receives no card data from the card frame, and cannot read its document", async ({ page, host }) => {
	const observed = observe(page);
	await page.addInitScript(() => {
		const messages: unknown[] = [];
		Object.assign(window, { messages });
		const onmessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
		Object.defineProperty(MessagePort.prototype, "onmessage", {
			set(handler: (event: MessageEvent) => void) {
				onmessage?.set?.call(this, (event: MessageEvent) => {
					messages.push(event.data);
					handler(event);
				});
			},
		});
	});
	const { id } = await openCardPage(page, host);
	for (const name of ["cardnumber", "exp-date", "cvc"] as const) {
		await field(page, name).pressSequentially(card[name]);
	}
	const result = await resultOf(page);
	expect(result).toMatchObject({ paymentIntent: { id, status: "succeeded" } });
	const messages = await page.evaluate(() => JSON.stringify(Reflect.get(window, "messages")));
	for (const text of ['"complete":true', '"amex"', '"succeeded"']) expect(messages).toContain(text);
	const seen = [observed, result, await eventsOf(page), JSON.parse(messages), await page.content()];
	expect(textOf(seen)).not.toMatch(secret);
	// there are fewer change messages than keystrokes
	expect(messages.match(/"say":"change"/g)?.length).toBeLessThan(15);
	const read = page.evaluate(() => document.querySelector("iframe")?.contentWindow?.document.body.innerHTML);
	await expect(read).rejects.toThrow("SecurityError");
});

const url = "url(/leak)";
const leak = { backgroundColor: url, fontFamily: `x; } input[value^='3'] { background: ${url}`, color: url };

test("a page that mounts the card frame itself cannot make it send the card elsewhere", async ({
	page,
	host,
	expected,
}) => {
	// the browser logs every refused confirmation and rejected style
	expected.push("");
	const observed = observe(page);
	const intent = await host.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	await page.goto("/");
	const hostile = await page.evaluateHandle(() => {
		const seen: unknown[] = [];
		const [line, second] = [new MessageChannel(), new MessageChannel()];
		line.port1.onmessage = ({ data }) => seen.push(data);
		second.port1.onmessage = ({ data }) => seen.push("second", data);
		const iframe = document.body.appendChild(document.createElement("iframe"));
		window.addEventListener("message", ({ source }) => {
			if (source !== iframe.contentWindow || seen.length > 0) return;
			for (const { port2 } of [line, second]) iframe.contentWindow?.postMessage(null, "*", [port2]);
		});
		iframe.src = "/stripe-emulator/card-frame";
		/** Sends messages, which the frame handles in order, and waits for the reply to the last. */
		const send = (messages: unknown[]) =>
			new Promise((resolve) => {
				for (const message of messages) {
					const { port1, port2 } = new MessageChannel();
					port1.onmessage = ({ data }) => {
						seen.push(data);
						if (message === messages.at(-1)) resolve(seen);
					};
					line.port1.postMessage(message, [port2]);
				}
			});
		return { send };
	});
	for (const [name, value] of Object.entries(card)) {
		await page.frameLocator("iframe").locator(`[name="${name}"]`).pressSequentially(value);
	}
	const confirming = { client_secret: intent.client_secret, "payment_method_data[type]": "card" };
	const forms = [
		{ ...confirming, client_secret: `${intent.client_secret}/../../leak` },
		{ ...confirming, "payment_method_data[card][number][echo]": "1" },
		{ ...confirming, "payment_method_data[billing_details][name]": "card[number]" },
		{ ...confirming, receipt_email: "payment_method_data[card][number]" },
		{ key: "sk_test_mine" },
		{ ...confirming, key: PUBLISHABLE_KEY },
	];
	const seen = await hostile.evaluate(
		({ send }, messages) => send(messages),
		[
			...["card", "value", "fields", "read", "leave", "toString", "constructor"].map((say) => ({ say })),
			...["card", {}, { say: "deliver", to: "https://shop.example/leak" }],
			{ say: "options", options: { style: { base: { ...leak, ":-webkit-autofill": leak }, complete: leak } } },
			...forms.map((form) => ({ say: "confirm", form })),
		],
	);
	expect(JSON.stringify(seen)).toContain('"succeeded"');
	expect(seen).not.toContain("second");
	expect(textOf([seen, observed])).not.toMatch(secret);
	expect(JSON.stringify(observed)).not.toContain("leak");
});
