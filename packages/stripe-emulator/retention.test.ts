import { expect, test } from "vitest";
import { memorySql } from "./memory-sql.ts";
import { deleteOld } from "./retention.ts";

const now = 1_770_000_000;
/** The columns of each table, and the SQL of their values in a row that was created at `?`, as number i. */
const tables = {
	objects: ["kind, object", "'charge', json_object('created', ?)"],
	deliveries: ["created", "?"],
	journal: ["entry", "json_object('created', ?)"],
	idempotency_keys: ["created", "?"],
	due: ["at", "?"],
} as const;

/** Returns the tables with 1,500 new rows each, which follow a row that is a day old, and an event of 30 days ago. */
function filled() {
	const sql = memorySql();
	const numbers = "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 1500)";
	for (const [table, [columns, values]] of Object.entries(tables)) {
		sql.exec(`CREATE TABLE ${table} (${columns})`);
		sql.exec(`INSERT INTO ${table} SELECT ${values}`, now - 86_400);
		sql.exec(`INSERT INTO ${table} ${numbers} SELECT ${values} FROM numbers`, now);
	}
	sql.exec("INSERT INTO objects VALUES ('event', json_object('created', ?))", now - 30 * 86_400);
	const rows = (table: string) => Number(sql.exec(`SELECT count(*) AS rows FROM ${table}`).toArray()[0]?.["rows"]);
	return { sql, rows };
}

test.each(Object.keys(tables))(
	"a public account keeps the newest thousand rows of %s, of each kind, for less than a day",
	(table) => {
		const { sql, rows } = filled();
		sql.exec("INSERT INTO objects VALUES ('refund', json_object('created', ?))", now);
		deleteOld(sql, now, true);
		expect(rows(table)).toBe(table === "objects" ? 1001 : 1000);
		expect(rows(`${table} WHERE rowid <= 501`)).toBe(0);
		deleteOld(sql, now + 86_400, true);
		expect(rows(table)).toBe(0);
	},
);

test("another account deletes only events, after 30 days", () => {
	const { sql, rows } = filled();
	deleteOld(sql, now, false);
	expect(Object.keys(tables).map(rows)).toEqual([1501, 1501, 1501, 1501, 1501]);
});
