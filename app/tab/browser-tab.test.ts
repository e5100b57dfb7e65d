import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";

// The tab of a browser, whose window and document are stubs.

const book = { id: "1", title: "Book", priceCents: 500, rating: 4, image: "/1.webp" };
const add = { type: "ADD_TO_BASKET", item: book } as const;
const messages: string[] = [];
let storage: FakeStorage;
let page: EventTarget;
const location = { origin: "https://shop", pathname: "/checkout", search: "?a", assign: vi.fn(), reload: vi.fn() };

class FakeChannel {
	constructor(readonly name: string) {}
	postMessage() {
		messages.push(this.name);
	}
}

beforeEach(() => {
	vi.stubEnv("SSR", false);
	vi.resetModules();
	storage = new FakeStorage();
	page = new EventTarget();
	vi.stubGlobal("Storage", FakeStorage);
	vi.stubGlobal("localStorage", new FakeStorage());
	vi.stubGlobal("sessionStorage", storage);
	vi.stubGlobal("BroadcastChannel", FakeChannel);
	vi.stubGlobal("window", {});
	vi.stubGlobal("document", page);
	vi.stubGlobal("location", location);
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => {
	vi.unstubAllEnvs();
	vi.unstubAllGlobals();
	vi.resetModules();
	vi.clearAllMocks();
	messages.length = 0;
});

const open = () => import("./tab.ts");
const fire = (type: string, more = {}) => void page.dispatchEvent(Object.assign(new Event(type), more));
const isHandedOver = () => storage.getItem("handedOver") !== null;
const leave = (basket: object[]) => storage.setItem("tab", JSON.stringify({ basket }));

test("the shop loads a document of its own origin, also at a path that begins with two slashes", async () => {
	const { loadDocument } = await open();
	loadDocument();
	expect(location.assign).toHaveBeenLastCalledWith("https://shop/checkout?a");
	loadDocument("//another.site/x");
	expect(location.assign).toHaveBeenLastCalledWith("https://shop//another.site/x");
});

test("the basket is handed over to the document that the shop loads, and not to the one of a later navigation", async () => {
	const { loadDocument } = await open();
	loadDocument();
	fire("beforeunload");
	expect(isHandedOver()).toBe(true);
	fire("beforeunload");
	expect(isHandedOver()).toBe(false);
});

test("a form that a program submits hands the basket over, and a submit event, which the router handles, does not", async () => {
	await open();
	const submit = new Event("submit");
	// Node always returns 0
	const phase = vi.spyOn(submit, "eventPhase", "get").mockReturnValue(Event.BUBBLING_PHASE);
	page.addEventListener("submit", () => fire("formdata"));
	page.dispatchEvent(submit);
	phase.mockReturnValue(Event.NONE);
	expect(isHandedOver()).toBe(false);
	fire("formdata");
	expect(isHandedOver()).toBe(true);
});

test("a reload empties the basket that an earlier document could show again", async () => {
	for (const [type, left] of [
		["navigate", [book]],
		["reload", undefined],
	] as const) {
		vi.resetModules();
		vi.stubGlobal("performance", { ...performance, now: () => 0, getEntriesByType: () => [{ type }] });
		leave([book]);
		await open();
		expect(JSON.parse(storage.getItem("tab") ?? "").basket).toEqual(left);
	}
});

test.each([
	["comes back from the cache", () => fire("pageshow", { persisted: true })],
	["was rendered ahead", () => fire("prerenderingchange")],
])("a document that %s takes over what another one has left", async (_, show) => {
	const { tab } = await open();
	leave([book, book]);
	fire("pageshow", { persisted: false });
	expect(tab.getState().basket).toEqual([]);
	show();
	expect(tab.getState().basket).toEqual([book, book]);
});

test("a document that cannot take over loads the page with what another one has left", async () => {
	await open();
	leave([{}]);
	fire("pageshow", { persisted: true });
	expect(location.reload).toHaveBeenCalledOnce();
	fire("beforeunload");
	expect(isHandedOver()).toBe(true);
});

test("without storage, a document that comes back from the cache loads the page", async () => {
	vi.stubGlobal("Storage", class {});
	await open();
	fire("pageshow", { persisted: true });
	expect(location.reload).toHaveBeenCalledOnce();
});

test("a receipt of an earlier guest is removed", async () => {
	const receipt = { id: "pi_1", amount: 500, currency: "usd", created: 1, items: [book], buyer: "guest-" };
	storage.setItem("tab", JSON.stringify({ receipt }));
	expect((await open()).tab.getState().receipt).toEqual(receipt);
	vi.resetModules();
	vi.stubGlobal("localStorage", new FakeStorage([["buyer", "guest-5"]]));
	expect((await open()).tab.getState()).toMatchObject({ buyer: "guest-5", receipt: null });
	expect(storage.getItem("tab")).toBe("{}");
});

test("only in Firefox, each change is announced to the tab's other documents", async () => {
	(await open()).tab.dispatch(add);
	expect(messages).toEqual([]);
	vi.resetModules();
	vi.stubGlobal("window", { mozInnerScreenX: 0 });
	const { tab } = await open();
	const id = storage.getItem("id");
	expect(messages).toEqual([]);
	tab.dispatch(add);
	expect(messages).toEqual([`tab ${id}`]);
	vi.resetModules();
	await open();
	expect(storage.getItem("id")).toBe(id);
});
