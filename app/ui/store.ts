/** A state outside React. Only events change it. */
export interface Store<State, Event> {
	getState(): State;
	dispatch(event: Event): void;
	/** Calls the listener after each change. Returns a function that unsubscribes it. */
	subscribe(listener: () => void): () => void;
}

export function createStore<State, Event>(
	reduce: (state: State, event: Event) => State,
	initial: State,
): Store<State, Event> {
	let state = initial;
	const listeners = new Set<() => void>();
	return {
		getState: () => state,
		dispatch(event) {
			const next = reduce(state, event);
			if (next === state) return;
			state = next;
			for (const listener of listeners) listener();
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
