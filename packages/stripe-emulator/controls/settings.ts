import type { Sql } from "../sql.ts";
import type { ApiFault } from "./api-faults.ts";
import { type WebhookPolicy, webhookPolicyShape } from "./control.ts";
import type { Latency } from "./latency.ts";

/** The settings that the controls change. */
export interface Settings {
	/** How far the account's clock is ahead of the system clock, in seconds. */
	clockAdvance: number;
	/** How long an approved charge stays in processing, in seconds. */
	processingTime: number;
	latencies: Latency[];
	/** Whether retrieve returns an intent as it was before a running confirmation. */
	staleRetrieve: boolean;
	webhooks: WebhookPolicy;
	faults: ApiFault[];
}

export const calm: Omit<Settings, "clockAdvance"> = {
	processingTime: 0,
	latencies: [],
	staleRetrieve: false,
	webhooks: webhookPolicyShape.parse({}),
	faults: [],
};

/** Stores the settings in SQLite, so that they survive eviction of the Durable Object. */
export class SettingsStore {
	readonly #sql: Sql;
	#settings: Settings;

	constructor(sql: Sql) {
		this.#sql = sql;
		sql.exec("CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT");
		const [row] = sql.exec("SELECT value FROM settings").toArray();
		this.#settings = { clockAdvance: 0, ...calm, ...(row && JSON.parse(String(row["value"]))) };
	}

	get current(): Settings {
		return this.#settings;
	}

	/** Resets every setting, including the clock. */
	reset(): void {
		this.change({ clockAdvance: 0, ...calm });
	}

	change(changes: Partial<Settings>): void {
		this.#settings = { ...this.#settings, ...changes };
		this.#sql.exec("INSERT OR REPLACE INTO settings VALUES ('settings', ?)", JSON.stringify(this.#settings));
	}
}
