import { useSyncExternalStore } from "react";
import { createStore, type Store } from "#app/ui/store.ts";
import { emptyTab, reduce, type TabEvent, type TabState } from "./tab-state.ts";

export type Tab = Store<TabState, TabEvent>;

export const createTab = (): Tab => createStore(reduce, emptyTab);

/** The state of this browser tab. On the server it stays empty, because a Worker renders for many visitors at once. */
export const tab = createTab();

if (import.meta.env.SSR) {
	tab.dispatch = ({ type }) => {
		throw new Error(`The server has no tab: dispatch ${type} from an event or an effect.`);
	};
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
