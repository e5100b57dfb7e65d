import { afterAll, vi } from "vitest";

// The unit tests of a worker share their modules and globals, so each file restores what it has replaced.
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});
