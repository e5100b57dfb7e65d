import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { SettingsStore } from "./settings.ts";

function openSql() {
	const database = new DatabaseSync(":memory:");
	return {
		exec(query: string, ...bindings: (string | number)[]) {
			const rows = database.prepare(query).all(...bindings);
			return { toArray: () => rows };
		},
	};
}

test("settings survive a restart", () => {
	const sql = openSql();
	const latencies = [{ endpoint: "payment_intents.confirm", milliseconds: 5, when: "after" as const }];
	new SettingsStore(sql).change({ latencies });
	expect(new SettingsStore(sql).current).toMatchObject({ latencies, processingTime: 0 });
});

test("settings stored in the old format, with a single latency, load without that latency", () => {
	const sql = openSql();
	new SettingsStore(sql);
	sql.exec("INSERT INTO settings VALUES ('settings', ?)", JSON.stringify({ clockAdvance: 60, latency: 1000 }));
	expect(new SettingsStore(sql).current).toMatchObject({ clockAdvance: 60, latencies: [], processingTime: 0 });
});
