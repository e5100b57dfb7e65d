import { useSyncExternalStore } from "react";
import { createStore, type Store } from "#app/ui/store.ts";
import { tryApi } from "#app/ui/try-api.ts";
import { guest, latestOwner } from "./owner.ts";
import { bought, readSaved } from "./saved.ts";
import { emptyTab, type PaidOrder, reduce, type TabEvent, type TabState } from "./tab-state.ts";

export type Tab = Store<TabState, TabEvent>;

export const createTab = (initial = emptyTab): Tab => createStore(reduce, initial);

/** The state of this browser tab. On the server it stays empty, because a Worker renders for many visitors at once. */
export const tab = createTab(import.meta.env.SSR ? emptyTab : restore());

if (import.meta.env.SSR) {
	tab.dispatch = ({ type }) => {
		throw new Error(`The server has no tab: dispatch ${type} from an event or an effect.`);
	};
} else {
	const saveReceipt = () =>
		tryApi(() => {
			const { receipt } = tab.getState();
			if (receipt) sessionStorage.setItem("receipt", JSON.stringify(receipt));
			else sessionStorage.removeItem("receipt");
		});
	saveReceipt();
	tab.subscribe(saveReceipt);
}

/** Returns the state of a tab after a reload, which keeps its receipt. */
function restore(): TabState {
	const owner = latestOwner() ?? guest;
	const receipt = readSaved<PaidOrder>(sessionStorage, "receipt", { ...bought, id: "", amount: 0, created: 0 });
	return { ...emptyTab, owner, receipt: receipt?.owner === owner ? receipt : null };
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
