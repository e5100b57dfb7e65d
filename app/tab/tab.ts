import { useSyncExternalStore } from "react";
import { createStore, type Store } from "#app/ui/store.ts";
import { guest, latestBuyer } from "./buyer.ts";
import { restoreTab, type SavedStorage, saveTab } from "./saved.ts";
import { emptyTab, reduce, type TabEvent, type TabState } from "./tab-state.ts";

export type Tab = Store<TabState, TabEvent>;

/** Returns the store of a tab whose document has just been loaded, and keeps what it must not lose in `storage`. */
export function openTab(storage: SavedStorage, buyer: string): Tab {
	const tab = createStore(reduce, restoreTab(storage, buyer));
	const save = () => saveTab(storage, tab.getState());
	save();
	tab.subscribe(save);
	return tab;
}

/** The state of this browser tab. On the server it stays empty, because a Worker renders for many visitors at once. */
export const tab: Tab = import.meta.env.SSR
	? createStore(reduce, emptyTab)
	: openTab(sessionStorage, latestBuyer() ?? guest);

if (import.meta.env.SSR) {
	tab.dispatch = ({ type }) => {
		throw new Error(`The server has no tab: dispatch ${type} from an event or an effect.`);
	};
}

/** Hands the basket over to the next document when this one is left, unless the signal is aborted before. The page stays
 *  usable until the next document arrives. */
export function handOverOnLeave(signal?: AbortSignal): void {
	const options = { once: true, ...(signal && { signal }) };
	addEventListener("pagehide", () => saveTab(sessionStorage, tab.getState(), true), options);
}

/** Loads the document at a path of the shop, by default that of the page on screen, and hands the basket over to it. */
export function loadDocument(path = location.pathname + location.search): void {
	handOverOnLeave();
	location.assign(path);
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
