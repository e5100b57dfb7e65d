import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { listen } from "../../tests/support/listen.ts";
import { checkPort } from "./port.ts";

test("checkPort exits with a command for the next port only while another program listens on the port", async () => {
	const print = vi.spyOn(console, "error").mockReturnValue();
	vi.spyOn(process, "exit").mockImplementation((code) => {
		throw new Error(`exit ${code}`);
	});
	try {
		const other = createServer();
		const port = await listen(other);
		await expect(checkPort("npm start", port)).rejects.toThrow("exit 1");
		expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`npm start -- --port ${port + 1}`));
		await new Promise((resolve) => other.close(resolve));
		await checkPort("npm start", port);
	} finally {
		vi.restoreAllMocks();
	}
});
