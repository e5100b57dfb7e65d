import { expect, test } from "vitest";
import { openBareShop } from "../support/bare-shop.ts";
import { cardsOf, sixCards } from "../support/page.ts";

test("the built Worker runs in Miniflare alone, without wrangler around it, and serves the home page", async () => {
	const shop = await openBareShop();
	try {
		const response = await shop.fetch("/");
		expect(response.status).toBe(200);
		expect(cardsOf(await response.text())).toEqual(sixCards);
		const created = await shop.fetch("/payments/create?total=1196", { method: "POST" });
		expect(await created.json()).toEqual({ clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/) });
	} finally {
		await shop.close();
	}
});
