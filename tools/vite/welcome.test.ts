import { createServer } from "vite";
import { expect, test, vi } from "vitest";
import { printWelcome, welcome } from "./welcome.ts";

test("the development server prints its address, where payments go and the test cards", async () => {
	const info = vi.spyOn(console, "info").mockReturnValue();
	const server = await createServer({ configFile: false, logLevel: "silent", plugins: [printWelcome] });
	try {
		await server.listen(0);
		server.printUrls();
		const [address] = server.resolvedUrls?.local ?? [];
		expect(address).toMatch(/^http:/);
		expect(info.mock.calls).toEqual([[welcome(address)]]);
		expect(welcome(address)).toContain(`${address}stripe-emulator/`);
	} finally {
		await server.close();
		info.mockRestore();
	}
});
