import type { EmulatorState } from "./state.ts";

/** The page at /stripe-emulator/. */
export function controlPage(state: EmulatorState): Response {
	return Response.json(state);
}
