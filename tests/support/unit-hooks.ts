import { afterAll, vi } from "vitest";

// The unit tests of a worker share their modules and globals, so each file restores what it has replaced.
afterAll(() => {
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
	// last, because a mocked timer is restored to a fake one
	vi.useRealTimers();
});
