import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { calm, SettingsStore } from "./settings.ts";

test("settings survive a restart, and a setting that is not stored has its default", () => {
	const database = new DatabaseSync(":memory:");
	const exec = (query: string, ...bindings: (string | number)[]) => {
		const rows = database.prepare(query).all(...bindings);
		return { toArray: () => rows };
	};
	const changes = { clockAdvance: 60, latencies: [{ milliseconds: 5, when: "after" as const }] };
	new SettingsStore({ exec }).change(changes);
	expect(new SettingsStore({ exec }).current).toEqual({ ...calm, ...changes });
	exec("UPDATE settings SET value = ?", JSON.stringify({ clockAdvance: 60 }));
	expect(new SettingsStore({ exec }).current).toEqual({ ...calm, clockAdvance: 60 });
});
