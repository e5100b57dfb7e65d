import type { SQLInputValue } from "node:sqlite";
import type { Sqlite } from "./database.ts";

// Replaces the parts of `cloudflare:workers` that the Stripe emulator's account uses (see vitest.config.ts).

/** The parts of a DurableObjectState that the account uses. */
interface State {
	storage: {
		sql: { exec(sql: string, ...values: SQLInputValue[]): ReturnType<typeof cursorOf> };
		setAlarm(ms: number): Promise<void>;
	};
	waitUntil(work: Promise<unknown>): void;
}

export class DurableObject {
	readonly ctx: State;
	readonly env: object;

	constructor(ctx: State, env: object) {
		this.ctx = ctx;
		this.env = env;
	}
}

/** Returns a SqlStorageCursor of these rows. */
function cursorOf(rows: Record<string, unknown>[]) {
	return {
		toArray: () => rows,
		one() {
			const [row, ...others] = rows;
			if (!row || others.length > 0) throw new Error("Expected exactly one result from SQL query.");
			return row;
		},
		[Symbol.iterator]: () => rows[Symbol.iterator](),
	};
}

/** Returns the state of a Durable Object that stores its data in `sqlite`. `setAlarm` receives milliseconds since 1970. */
export function durableState(sqlite: Sqlite, setAlarm: (ms: number) => void): State {
	return {
		storage: {
			sql: { exec: (sql, ...values) => cursorOf(sqlite.all(sql, values)) },
			setAlarm: async (ms) => setAlarm(ms),
		},
		waitUntil: () => undefined,
	};
}
