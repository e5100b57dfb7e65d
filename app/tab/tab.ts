import { useSyncExternalStore } from "react";
import { createStore, type Store } from "#app/ui/store.ts";
import { tryApi } from "#app/ui/try-api.ts";
import { guest, latestBuyer } from "./buyer.ts";
import { isConfirming, isPaying } from "./purchase.ts";
import {
	markHandedOver,
	readSaved,
	restoreTab,
	type SavedStorage,
	takeHandedOver,
	textOf,
	writeSaved,
} from "./saved.ts";
import { emptyTab, reduce, type TabEvent, type TabState } from "./tab-state.ts";

export interface Tab extends Store<TabState, TabEvent> {
	/** Lets the tab's next document take the basket over. */
	handOver(): void;
}

/** Returns the store of a document of the tab. Another document of the tab may be shown after this one, and then this one
 *  again, from the browser's cache, as it was. So each change is left in `storage`, and an event first takes over what
 *  another document has left since. That event is discarded: it is about the earlier state. A reload loses the basket. */
export function openTab(storage: SavedStorage, loadLatest: () => void, isReload = false): Tab {
	/** What this document has last found or left in the storage. */
	let seen = readSaved(storage);
	const store = createStore(reduce, restoreTab(seen, { withBasket: takeHandedOver(storage) }));
	/** What this document would leave. It differs from `seen` until this document changes something. */
	let own = textOf(store.getState());

	function save(): void {
		own = textOf(store.getState());
		writeSaved(storage, own);
		seen = readSaved(storage);
	}

	function takeOver(left: string): void {
		const before = store.getState().purchase;
		const state = restoreTab(left, { withBasket: true });
		// another build has left it, or it is damaged
		if (textOf(state) !== left) return void loadLatest();
		seen = left;
		store.dispatch({ type: "taken_over", state });
		// the bank's dialog may cover this document
		if (isConfirming(before) && !isConfirming(store.getState().purchase)) loadLatest();
	}

	if (isReload && seen !== null) save();
	store.subscribe(() => textOf(store.getState()) !== own && save());
	return {
		...store,
		dispatch(event) {
			const left = readSaved(storage);
			// no document removes it, but the shopper can
			if (left === seen || left === null) store.dispatch(event);
			else takeOver(left);
		},
		handOver() {
			if (readSaved(storage) === seen) save();
			markHandedOver(storage);
		},
	};
}

/** The state of this browser tab. On the server it stays empty, because a Worker renders for many visitors at once. */
export const tab: Tab = import.meta.env.SSR ? openServerTab() : openBrowserTab();

function openServerTab(): Tab {
	const fail = () => {
		throw new Error("The server has no tab: dispatch from an event or an effect.");
	};
	return { ...createStore(reduce, emptyTab), dispatch: fail, handOver: fail };
}

/** Whether the basket is handed over to the document for which the next navigation begins. */
let handsOver = false;

function openBrowserTab(): Tab {
	const [navigation] = performance.getEntriesByType("navigation");
	const isReload = navigation !== undefined && "type" in navigation && navigation.type === "reload";
	const channel = openChannel();
	const storage: SavedStorage = {
		getItem: (key) => sessionStorage.getItem(key),
		setItem(key, value) {
			sessionStorage.setItem(key, value);
			channel?.postMessage(null);
		},
		removeItem: (key) => sessionStorage.removeItem(key),
	};
	const tab = openTab(storage, loadLatest, isReload);
	tab.dispatch({ type: "buyer_changed", buyer: latestBuyer() ?? guest });
	// a load that was answered with 204 or canceled leaves this document, which the shopper may then reload
	addEventListener("beforeunload", () => {
		if (!handsOver) takeHandedOver(sessionStorage);
		handsOver = false;
	});
	// another program's form.submit() loads a document, without a submit event, which the router handles
	let submit = new Event("submit");
	const onSubmit = (event: Event) => {
		submit = event;
	};
	addEventListener("submit", onSubmit, { capture: true });
	addEventListener("formdata", () => submit.eventPhase === Event.NONE && handOver());
	addEventListener("pageshow", ({ persisted }) => {
		if (!persisted) return;
		// takes over, or else polls a payment at once
		if (sessionStorage instanceof Storage) tab.dispatch({ type: "online" });
		// session-storage.ts has replaced a denied one, in which no other document can leave anything
		else loadLatest();
	});
	// the document was rendered ahead, and the browser shows it now
	document.addEventListener("prerenderingchange", () => tab.dispatch({ type: "online" }));
	return tab;
}

/** Returns a channel between the documents of this tab. Firefox shows a document again with the sessionStorage that it
 *  had, but discards a document of its cache that gets a message: Back then loads it. */
function openChannel(): BroadcastChannel | undefined {
	return tryApi(() => {
		if (!("mozInnerScreenX" in window)) return undefined;
		const id = sessionStorage.getItem("id") ?? String(performance.timeOrigin);
		sessionStorage.setItem("id", id);
		return new BroadcastChannel(`tab ${id}`);
	});
}

export function handOver(): void {
	handsOver = true;
	tab.handOver();
}

/** Loads the document at a path of the shop, by default that of the page on screen, and hands the basket over to it. The
 *  page stays usable until then. */
export function loadDocument(path = location.pathname + location.search): void {
	handOver();
	// of //another.site alone, browsers would make another site
	location.assign(location.origin + path);
}

/** Loads the page again, with the basket that the tab's latest document has left. */
function loadLatest(): void {
	handsOver = true;
	markHandedOver(sessionStorage);
	location.reload();
}

/** Returns a part of the tab's state. `select` must return the same value for the same state. */
export function useTab<Part>(select: (state: TabState) => Part): Part {
	return useSyncExternalStore(
		tab.subscribe,
		() => select(tab.getState()),
		// hydration renders what the server has rendered
		() => select(emptyTab),
	);
}

/** Returns whether a payment is in progress. Outside the card form, it is being checked. */
export const useIsPaying = () => useTab(({ purchase }) => isPaying(purchase));
