import { expect, test, vi } from "vitest";
import { openRequest } from "../tests/support/unit-request.ts";
import { handleError } from "./entry.server.tsx";

test("handleError logs the request's route instead of its path, and nothing if the client has gone", () => {
	const log = vi.spyOn(console, "error").mockReturnValue();
	const { args } = openRequest("/orders", "", undefined, {});
	const request = new Request("https://shop.test/Orders/?secret");
	handleError(new Error("a bug"), { ...args, request });
	expect(log.mock.calls).toEqual([
		[expect.stringContaining('"event":"error","where":"GET /orders","message":"Error: a bug"')],
	]);
	handleError(new Error("a bug"), { ...args, request: new Request(request, { signal: AbortSignal.abort() }) });
	expect(log).toHaveBeenCalledOnce();
});
