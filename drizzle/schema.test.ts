import { is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, SQLiteColumn, SQLiteSyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { Sqlite } from "../tests/simulation/database.ts";
import config from "./drizzle.config.ts";
import { maxAmount, minAmount } from "./limits.ts";
import * as schema from "./schema.ts";

const sqlite = Sqlite.ofShop();
const dialect = new SQLiteSyncDialect({ casing: "snake_case" });
const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));

/** Returns a column's default as a SQL literal, in an array; an empty array without a default. */
function defaultOf(column: SQLiteColumn): string[] {
	if (column.default === undefined) return [];
	const value = column.mapToDriverValue(column.default);
	return [typeof value === "string" ? `'${value}'` : String(value)];
}

test("the migrations create the columns and defaults of drizzle/schema.ts", () => {
	expect(tables).not.toEqual([]);
	const list = (sql: string) => sqlite.raw(sql).flat().toSorted();
	for (const table of tables) {
		const { name, columns } = getTableConfig(table);
		const definitions = columns.map((column) =>
			[toSnakeCase(column.name), column.getSQLType(), Number(column.notNull), ...defaultOf(column)].join(" "),
		);
		const created = "concat_ws(' ', name, lower(type), \"notnull\", dflt_value)";
		const stored = list(`select ${created} from pragma_table_info('${name}')`);
		expect(stored, name).toEqual(definitions.toSorted());
	}
});

test("the migrations create the indexes of drizzle/schema.ts, with their columns and conditions", () => {
	const quote = (columns: unknown[]) =>
		columns.map((column) => (is(column, SQLiteColumn) ? `\`${toSnakeCase(column.name)}\`` : "an expression")).join();
	for (const table of tables) {
		const { name, columns, indexes } = getTableConfig(table);
		const definitions = indexes.map(({ config: { name: index, columns, unique, where } }) => {
			const condition = where ? ` WHERE ${dialect.sqlToQuery(where.inlineParams()).sql}` : "";
			return `CREATE ${unique ? "UNIQUE " : ""}INDEX \`${index}\` ON \`${name}\` (${quote(columns)})${condition}`;
		});
		const unique = columns
			.filter(({ isUnique }) => isUnique)
			.map((column) => `CREATE UNIQUE INDEX \`${column.uniqueName}\` ON \`${name}\` (${quote([column])})`);
		const stored = sqlite.raw(
			`select sql from sqlite_schema where type = 'index' and tbl_name = '${name}' and sql <> ''`,
		);
		expect(stored.flat().toSorted(), name).toEqual([...definitions, ...unique].toSorted());
	}
});

test("drizzle-kit names the columns of a migration as the shop does, and its file after the time", () => {
	expect(config).toMatchObject({ casing: "snake_case", schema: "./drizzle/schema.ts", out: "./migrations" });
	expect(config).toMatchObject({ migrations: { prefix: "timestamp" } });
});

test("the migrations create the CHECK constraints of drizzle/schema.ts", () => {
	for (const table of tables) {
		const { name, checks } = getTableConfig(table);
		const constraints = checks.map(
			({ name, value }) => `CONSTRAINT "${name}" CHECK(${dialect.sqlToQuery(value.inlineParams()).sql})`,
		);
		const [created] = sqlite.raw(`select sql from sqlite_schema where name = '${name}'`).flat();
		// ALTER TABLE … ADD writes the constraint after its column, and several columns on one line
		expect((String(created).match(/CONSTRAINT .*?\)(?=,|\n)/g) ?? []).toSorted()).toEqual(constraints.toSorted());
	}
});

sqlite.exec(`
	insert into users (id, email, password_hash, created_at) values ('ada', 'ada@b.c', 'h', 1), ('ben', 'ben@b.c', 'h', 1);
	insert into sessions (id, user_id, expires_at) values ('s', 'ada', 1);
	insert into orders (payment_intent_id, guest_token_hash, amount, currency, status, created, placed_at, due_at)
		values ('pi_1', 'g', 50, 'usd', 'placed', 1, 1, 1);
	insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
		values ('pi_1', 0, '1', 't', 'i', 1, 5);
	insert into refunds (id, payment_intent_id, amount, status, created) values ('re_1', 'pi_1', 1, 'pending', 1)`);

type Value = string | number | null;

/** Returns whether the table accepts these values in its first row. */
function accepts(table: string, values: Record<string, Value>): boolean {
	const [key] = Object.keys(sqlite.all(`select * from ${table}`)[0] ?? {});
	const changes = Object.keys(values).map((column) => `${column} = ?`);
	const first = `where ${key} = (select min(${key}) from ${table})`;
	try {
		sqlite.all(`update ${table} set ${changes} ${first}`, Object.values(values));
		return true;
	} catch (error) {
		expect(String(error)).toMatch(/constraint failed|cannot store \w+ value in INTEGER column/);
		return false;
	}
}

test.each<[string, string, Value[], Value[]]>([
	["products", "price_cents", [1, 99999999], [1.5, 0, 100000000, null]],
	["products", "rating", [3, 5], [2, 6]],
	["products", "details", ["{}"], ["{"]],
	["products", "status", ["available", "sold_out"], ["sold", null]],
	["users", "created_at", [1], ["yesterday"]],
	["users", "email", ["a@b.c"], [null, "ben@b.c"]],
	["sessions", "user_id", ["ben"], ["nobody"]],
	["orders", "amount", [minAmount, maxAmount], ["abc", minAmount - 1, maxAmount + 1]],
	["orders", "status", ["placed", "paid", "abandoned", "refunded"], ["shipped"]],
	["order_items", "payment_intent_id", ["pi_1"], ["pi_none"]],
	["order_items", "position", [0, 199], [-1, 200]],
	["order_items", "price_cents", [1], [0, "abc"]],
	["order_items", "rating", [5], [6]],
	["order_items", "quantity", [1, 200], [0, 201]],
	["refunds", "amount", [1, maxAmount], [0, maxAmount + 1, "abc"]],
	["refunds", "status", ["pending", "succeeded", "failed"], ["paid"]],
])("%s.%s accepts %j and rejects %j", (table, column, accepted, rejected) => {
	for (const value of accepted) expect([value, accepts(table, { [column]: value })]).toEqual([value, true]);
	for (const value of rejected) expect([value, accepts(table, { [column]: value })]).toEqual([value, false]);
});

test.each([
	["a customer", "ada", null, true],
	["a guest", null, "g", true],
	["no one", null, null, true],
	["both a customer and a guest", "ada", "g", false],
	["an unknown customer", "nobody", null, false],
])("orders accepts or rejects %s as the owner", (_, user_id, guest_token_hash, accepted) => {
	expect(accepts("orders", { user_id, guest_token_hash })).toBe(accepted);
});
