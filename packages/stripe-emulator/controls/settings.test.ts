import { expect, test } from "vitest";
import { memorySql } from "../memory-sql.ts";
import { calm, SettingsStore } from "./settings.ts";

test("settings survive a restart, and a setting that is not stored has its default", () => {
	const sql = memorySql();
	const changes = { clockAdvance: 60, latencies: [{ milliseconds: 5, when: "after" as const }] };
	new SettingsStore(sql).change(changes);
	expect(new SettingsStore(sql).current).toEqual({ ...calm, ...changes });
	sql.exec("UPDATE settings SET value = ?", JSON.stringify({ clockAdvance: 60 }));
	expect(new SettingsStore(sql).current).toEqual({ ...calm, clockAdvance: 60 });
});
