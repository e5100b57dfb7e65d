import type { Sql } from "./sql.ts";

const day = 24 * 60 * 60;
const maxRows = 1000;

/** The tables that grow with calls, each with the SQL of a row's time of creation, in Unix seconds. */
const growing = {
	objects: "coalesce(object ->> '$.created', object ->> '$.paymentMethod.created')",
	deliveries: "created",
	journal: "entry ->> '$.created'",
	idempotency_keys: "created",
	due: "at",
};

/** Deletes events older than 30 days. In a public account, deletes every row that is older than a day, and all but the
 *  newest thousand rows of each table and, so that no kind of object displaces another, of each kind. `now` is in Unix
 *  seconds. */
export function deleteOld(sql: Sql, now: number, isPublic: boolean): void {
	sql.exec("DELETE FROM objects WHERE kind = 'event' AND object ->> '$.created' <= ?", now - 30 * day);
	if (!isPublic) return;
	for (const [table, created] of Object.entries(growing)) {
		const group = table === "objects" ? "kind" : "0";
		const ranked = `SELECT rowid, row_number() OVER (PARTITION BY ${group} ORDER BY rowid DESC) AS rank FROM ${table}`;
		const surplus = `SELECT rowid FROM (${ranked}) WHERE rank > ?`;
		sql.exec(`DELETE FROM ${table} WHERE ${created} <= ? OR rowid IN (${surplus})`, now - day, maxRows);
	}
}
