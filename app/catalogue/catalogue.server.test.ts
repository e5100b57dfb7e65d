import { expect, test, vi } from "vitest";
import { openDatabases } from "#app/http/databases.server.ts";
import { timeouts } from "#app/http/timeout.server.ts";
import { d1On } from "../../tests/support/d1.ts";
import { openCookies, openRequest } from "../../tests/support/unit-request.ts";
import { readCatalogue } from "./catalogue.server.ts";

test("a page without a catalog waits a second and a half for D1", async () => {
	vi.useFakeTimers();
	vi.spyOn(console, "error").mockReturnValue();
	const { services } = openRequest("/", "", undefined, { now: () => 0, timeouts });
	const databases = openDatabases(
		d1On(() => new Promise(() => undefined)),
		openCookies(),
	);
	const fail = vi.fn();
	void readCatalogue({ services, databases, waitUntil() {} }).catch(({ status }) => fail(status));
	await vi.advanceTimersByTimeAsync(1499);
	expect(fail).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(fail).toHaveBeenCalledWith(503);
});
