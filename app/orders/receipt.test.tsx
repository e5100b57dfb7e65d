import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { guest } from "#app/tab/buyer.ts";
import { Receipt } from "./receipt.tsx";

const items = ["Book", "Mixer", "Book"].map((title) => ({ id: title, title, priceCents: 100, rating: 5, image: "" }));
const order = { id: "pi_1", amount: 300, currency, created: 1, items, buyer: guest };
const GuestReceipt = () => <Receipt paid={order} listed={undefined} isNew isGuest canSignIn />;

test("a receipt has equal items in one line, as the account that gets the order lists them", () => {
	const Page = createRoutesStub([{ path: "/", Component: GuestReceipt }]);
	const names = renderToStaticMarkup(<Page />).matchAll(/<p class="name"><a [^>]*>([^<]*)/g);
	expect([...names].map(([, name]) => name)).toEqual(["Book", "Mixer"]);
});
