import { test as base, expect } from "@playwright/test";
import { buildHost } from "./build-host.ts";
import { type Host, openHost } from "./host.ts";

interface Fixtures {
	/** The beginnings of the console messages that a test expects. A response's message is its status and path. */
	expected: string[];
	quietConsole: undefined;
	calmEmulator: undefined;
}

/** Playwright's `test` with one host per worker. Fails on unexpected console errors and warnings. */
export const test = base.extend<Fixtures, { host: Host }>({
	host: [
		async ({ playwright: _ }, use) => {
			const host = await openHost(await buildHost());
			await use(host);
			await host.close();
		},
		{ scope: "worker" },
	],
	baseURL: ({ host }, use) => use(host.url.href),
	expected: ({ playwright: _ }, use) => use([]),
	calmEmulator: [
		async ({ host }, use) => {
			await use(undefined);
			await host.control({ control: "calm" });
		},
		{ auto: true },
	],
	quietConsole: [
		async ({ context, expected }, use) => {
			const messages: string[] = [];
			context.on("console", (message) => {
				if (message.type() !== "error" && message.type() !== "warning") return;
				const [, status] = /the server responded with a status of (\d+)/.exec(message.text()) ?? [];
				const { url } = message.location();
				const path = URL.canParse(url) ? new URL(url).pathname : url;
				messages.push(status ? `${status} ${path}` : message.text());
			});
			context.on("weberror", (error) => messages.push(String(error.error())));
			await use(undefined);
			const isExpected = (message: string) => expected.some((beginning) => message.startsWith(beginning));
			expect(messages.filter((message) => !isExpected(message))).toEqual([]);
		},
		{ auto: true },
	],
});

export { expect };
