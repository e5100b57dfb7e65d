import type { Store } from "#app/ui/store.ts";

/** Work that reports what happened by dispatching events. */
export interface Work<Event> {
	/** What the work does, and with what. Works with equal keys are the same work. */
	key: readonly unknown[];
	/** Must not dispatch before it returns. */
	start: (dispatch: (event: Event) => void, signal: AbortSignal) => unknown;
}

/** Keeps the work of the store's state running: after each change, aborts the work that is no longer part of the state,
 *  and starts what is new. Aborted work can no longer dispatch. */
export function runWork<State, Event>(
	store: Store<State, Event>,
	worksOf: (state: State) => (Work<Event> | null)[],
): void {
	const running = new Map<string, AbortController>();
	function update() {
		const works = worksOf(store.getState()).filter((work) => work !== null);
		const starts = new Map(works.map(({ key, start }) => [String(key), start]));
		for (const [key, controller] of running) {
			if (starts.has(key)) continue;
			running.delete(key);
			controller.abort();
		}
		for (const [key, start] of starts) {
			if (running.has(key)) continue;
			const controller = new AbortController();
			running.set(key, controller);
			const { signal } = controller;
			start((event) => signal.aborted || store.dispatch(event), signal);
		}
	}
	store.subscribe(update);
	update();
}

/** Resolves after a delay in milliseconds, or when the signal is aborted. */
export function wait(delay: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, delay);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve();
		});
	});
}
