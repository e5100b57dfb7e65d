import type { Store } from "#app/ui/store.ts";

/** Starts work that reports what happened by dispatching events. Must not dispatch before it returns. */
export type Work<Event> = (dispatch: (event: Event) => void, signal: AbortSignal) => unknown;

/** The work of a state by name. */
export type Works<Event> = Record<string, Work<Event>>;

/** Keeps the work of the store's state running: after each change, starts the work whose name is new, and aborts the
 *  work whose name is no longer part of the state. Aborted work can no longer dispatch. */
export function runWork<State, Event>(store: Store<State, Event>, worksOf: (state: State) => Works<Event>): void {
	const running = new Map<string, AbortController>();
	function update() {
		const works = worksOf(store.getState());
		for (const [name, controller] of running) {
			if (name in works) continue;
			running.delete(name);
			controller.abort();
		}
		for (const [name, start] of Object.entries(works)) {
			if (running.has(name)) continue;
			const controller = new AbortController();
			running.set(name, controller);
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
