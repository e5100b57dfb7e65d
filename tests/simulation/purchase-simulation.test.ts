import { otherCurrency } from "../support/catalogue.ts";
import { changeDatabase } from "./events.ts";
import { testScenario } from "./explore-all.ts";
import { change } from "./rows.ts";
import { book, openStranger, speaker, wait } from "./scenario.ts";

const slowCard = { card: "pm_card_visa", slow: "confirm" } as const;
const slowDialog = { card: "pm_card_threeDSecure2Required", slow: "dialog" } as const;
const declinedCard = { card: "pm_card_visa_chargeDeclined" };

testScenario("slow confirmation", "prepares", { lasts: 12 }, ({ tab }) => ({ tab: () => tab.buyTwice(slowCard) }));
testScenario("slow confirmation while it is canceled", "prepares", { calm: 110, lasts: 140 }, ({ tab }) => ({
	tab: () => tab.buy(slowCard),
}));
testScenario("slow confirmation of a page that was reloaded", "places", {}, ({ tab }) => ({
	confirmation: () => tab.confirm(slowCard),
	tab: () => tab.returnToShop(),
}));
testScenario("slow bank dialog", "prepares", { lasts: 12 }, ({ tab }) => ({ tab: () => tab.buyTwice(slowDialog) }));
testScenario(
	"tab from before a change of currency",
	"prepares",
	{ after: [(world, id) => change(world, id, "$.currency", otherCurrency)] },
	({ tab }) => ({
		async tab() {
			tab.currency = otherCurrency;
			// as the shop signed it then, the signature would be invalid now
			if (tab.state.created) tab.state.created.signature = "";
			await tab.buyTwice();
			tab.state.basket = [speaker];
			await tab.buyTwice();
			await (await tab.loadDocument()).buyTwice();
		},
	}),
);
testScenario("purchase | webhook", "prepares", { user: "alice" }, ({ tab, webhook }) => ({
	tab: () => tab.buy(),
	webhook,
}));
testScenario("return | webhook", "pays", { user: "alice" }, ({ tab, webhook }) => ({
	tab: () => tab.returnToShop(),
	webhook,
}));
testScenario("webhook twice", "pays", { user: "alice", alike: true }, ({ webhook }) => ({
	"webhook 1": webhook,
	"webhook 2": webhook,
}));
testScenario("declined card, then another | webhook", "prepares", {}, ({ tab, webhook }) => ({
	async tab() {
		await tab.buy(declinedCard);
		if (tab.isNotCharged) await tab.buy();
	},
	webhook,
}));
testScenario("create at another total | confirmation", "places", {}, ({ tab, other }) => ({
	confirmation: () => other.confirmElsewhere(),
	async tab() {
		await tab.prepare();
		tab.state.basket = [book, speaker];
		await tab.buy();
	},
}));
testScenario("return | late place", "pays", { user: "alice" }, ({ tab, other }) => ({
	tab: () => tab.returnToShop(),
	"late place": () => other.tryToPlace(),
}));
testScenario("purchase | early confirmation", "prepares", { user: "alice" }, ({ tab, other }) => ({
	confirmation: () => other.confirmElsewhere(),
	tab: () => tab.buy(),
}));
// Place makes no call to Stripe, so that only the confirmation finds out.
testScenario("purchase | cancellation in the dashboard", "prepares", { user: "alice" }, ({ tab, cancel }) => ({
	tab: () => tab.buyTwice(),
	operator: cancel,
}));
testScenario("purchase | create in a duplicated tab", "prepares", {}, ({ tab }) => ({
	tab: () => tab.buyTwice(),
	async copy() {
		const copy = await tab.duplicate("copy");
		copy.state.basket = [speaker];
		await copy.prepare();
	},
}));
testScenario("purchase | purchase in a duplicated tab", "prepares", { lasts: 40 }, ({ tab, world }) => ({
	tab: () => tab.buy(),
	async copy() {
		const copy = await tab.duplicate("copy");
		await copy.resume();
		world.monitor.confirmsElsewhere(tab.id);
		copy.state.basket = [book];
		await copy.buy();
	},
}));
testScenario("purchase | reload", "prepares", { lasts: 40 }, ({ tab }) => ({
	tab: () => tab.buy(),
	reload: async () => (await tab.reload()).resume(),
}));
testScenario("purchase | document that the shop loads", "prepares", { lasts: 40 }, ({ tab }) => ({
	tab: () => tab.buy(),
	async load() {
		const next = await tab.loadDocument();
		await next.resume();
		if (next.state.basket.length > 0) await next.buy();
	},
}));
// The browser shows an earlier document of the tab again, as it was.
testScenario("purchase in a later document | Back", "prepares", {}, ({ tab }) => {
	const later = tab.later();
	return {
		tab: () => tab.prepare(),
		async "later document"() {
			await later.showAfter(tab, true);
			await later.buy();
		},
		back: () => tab.buyAfter(later),
	};
});
testScenario("slow purchase in a later document | Back | Forward", "prepares", { lasts: 14 }, ({ tab }) => {
	const later = tab.later();
	return {
		tab: () => tab.prepare(),
		async "later document"() {
			await later.showAfter(tab, true);
			await later.buy(slowCard);
		},
		async back() {
			await tab.buyAfter(later);
			await later.buyAfter(tab);
		},
	};
});
testScenario("purchase | another document with its own basket | Back", "prepares", { lasts: 14 }, ({ tab }) => {
	const later = tab.later();
	return {
		tab: () => tab.buy(),
		async "later document"() {
			await later.showAfter(tab);
			await later.resume();
			later.state.basket = [speaker];
			await later.prepare();
		},
		back: () => tab.buyAfter(later),
	};
});
testScenario("bank dialog | duplicated tab", "prepares", { calm: 14, lasts: 18 }, ({ tab }) => ({
	tab: () => tab.buy(slowDialog),
	copy: async () => (await tab.duplicate("copy")).resume(),
}));
testScenario("slow decline, then another card at another total", "prepares", { lasts: 11 }, ({ tab }) => ({
	async tab() {
		await tab.buy({ ...declinedCard, slow: "confirm" });
		if (!tab.isNotCharged) return;
		tab.state.basket = [speaker];
		await tab.buy();
	},
}));
testScenario("two tabs", "prepares", { other: "pays" }, ({ tab, other }) => ({
	tab: () => tab.buy(),
	"other tab": () => other.returnToShop(),
}));
testScenario("two tabs of a new guest", "opens", { alike: true }, ({ tab, other }) => ({
	tab: () => tab.buy(),
	"other tab": () => other.buy(),
}));
testScenario("new price | purchase", "opens", {}, ({ tab, world }) => {
	const sql = `update products set price_cents = price_cents + 300 where id = '${book.id}'`;
	return { tab: () => tab.buyTwice(), operator: () => changeDatabase(world, "the book costs $3.00 more", sql) };
});
testScenario("product withdrawn | purchase", "prepares", {}, ({ tab, world }) => {
	const sql = `delete from products where id = '${book.id}'`;
	return { tab: () => tab.buy(), operator: () => changeDatabase(world, "the book is withdrawn", sql) };
});

// An order's owner changes.
testScenario("two places with different owners", "prepares", { lasts: 60 }, ({ tab, browser }) => ({
	async tab() {
		await tab.buy();
		if (!tab.isNotCharged) return;
		await browser.signIn("alice");
		tab.state.user = browser.customer;
		await tab.buy();
	},
}));
testScenario("two places with different owners, and no return", "prepares", {}, ({ tab, browser }) => ({
	async tab() {
		await Promise.race([tab.tryToPlace(), wait(10_000)]);
		await browser.signIn("alice");
		tab.state.user = browser.customer;
		if ((await tab.tryToPlace()).status === 200) await tab.confirm();
	},
}));
testScenario(
	"purchase of a customer | place with its client secret by a stranger",
	"prepares",
	{ user: "alice" },
	({ tab, world }) => {
		const stranger = openStranger(world, tab, null);
		return { tab: () => tab.buy(), stranger: () => stranger.tryToPlace() };
	},
);
testScenario("sign-in in another tab | purchase of a guest", "prepares", {}, ({ tab, browser }) => ({
	tab: () => tab.buyTwice(),
	"another tab": () => browser.signIn("alice"),
}));
testScenario("purchase of a guest | cookies are deleted", "prepares", {}, ({ tab, browser }) => ({
	tab: () => tab.buyTwice(),
	privacy: () => browser.deleteCookies(),
}));
testScenario("claim | return", "pays", {}, ({ tab, browser }) => ({
	tab: () => tab.returnToShop(),
	"another tab": () => browser.signIn("alice"),
}));
testScenario("claim | webhook", "pays", { other: "pays" }, ({ browser, webhook }) => ({
	"another tab": () => browser.signIn("alice"),
	webhook,
}));
