import Stripe from "stripe";
import { authenticate, authenticatedCard, expect, test } from "../support/browser.ts";
import { startStandalone } from "../support/standalone.ts";

test("a page of another origin pays with 3-D Secure at the standalone server", async ({ page }) => {
	const server = await startStandalone();
	try {
		const { port } = new URL(server.url);
		const stripe = new Stripe("sk_test_any", { host: "127.0.0.1", port, protocol: "http" });
		const card = { allowed_payment_method_types: ["card" as const] };
		const { id, client_secret } = await stripe.paymentIntents.create({ amount: 1499, currency: "usd", ...card });
		// the policy that a shop needs: only the emulator's origin, for the script and its frames
		const policy = `default-src 'none'; script-src ${server.url} 'unsafe-inline'; frame-src ${server.url}; connect-src ${server.url}; style-src 'unsafe-inline'; img-src data:`;
		const body = `<!doctype html><title>A shop</title><link rel="icon" href="data:,">
<div id="card"></div><button>Pay</button><output></output>
<script src="${server.url}/stripe.js"></script>
<script>
const stripe = Stripe("pk_test_any");
const card = stripe.elements().create("card", { hidePostalCode: true });
card.mount("#card");
document.querySelector("button").onclick = async () => {
	const { paymentIntent, error } = await stripe.confirmCardPayment("${client_secret}", { payment_method: { card } });
	document.querySelector("output").textContent = error ? error.message : paymentIntent.status;
};
</script>`;
		const headers = { "Content-Security-Policy": policy };
		await page.route("http://localhost:4000/", (route) => route.fulfill({ body, contentType: "text/html", headers }));
		await page.goto("http://localhost:4000/");
		const frame = page.frameLocator('iframe[title="Secure card payment input frame"]');
		await frame.getByLabel("Credit or debit card number").pressSequentially(authenticatedCard);
		await frame.getByLabel("Credit or debit card expiration date").fill("12 / 34");
		await frame.getByLabel("Credit or debit card CVC/CVV").fill("123");
		await page.getByRole("button", { name: "Pay" }).click();
		await authenticate(page, "Complete");
		await expect(page.locator("output")).toHaveText("succeeded");
		expect((await stripe.paymentIntents.retrieve(id)).status).toBe("succeeded");
	} finally {
		await server.stop();
	}
});
