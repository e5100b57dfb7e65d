// `npm run bench`: every part, or those that are named, and one table in the end.
import { bytes } from "./bytes.ts";
import { felt } from "./felt.ts";
import { growth } from "./growth.ts";
import { lighthouse } from "./lighthouse.ts";
import { orderFeed } from "./order-feed.ts";
import { server } from "./server.ts";
import { signIn } from "./sign-in.ts";
import { storm } from "./storm.ts";
import { type Measured, type Row, table } from "./table.ts";
import { worker } from "./worker.ts";

const parts = new Map<string, (argument: number | undefined) => Promise<Measured>>([
	["bytes", bytes],
	["server", server],
	["worker", worker],
	["growth", growth],
	["storm", storm],
	["sign-in", signIn],
	["feed", orderFeed],
	["lighthouse", lighthouse],
	["felt", felt],
]);

const args = process.argv.slice(2);
const names = args.filter((arg) => Number.isNaN(Number(arg)));
const unknown = names.filter((name) => !parts.has(name));
if (unknown.length > 0) {
	console.error(`There is no part ${unknown.join(", ")}; there are ${[...parts.keys()].join(", ")}.`);
	process.exit(1);
}

const failures: string[] = [];
const rows: Row[] = [];
for (const [name, measure] of parts) {
	if (names.length > 0 && !names.includes(name)) continue;
	console.info(`${name} …`);
	// a number goes with the part before it
	const argument = Number(args[args.indexOf(name) + 1]);
	const measured = await measure(names.includes(name) && !Number.isNaN(argument) ? argument : undefined);
	rows.push(...measured.rows.map(([row, value]): Row => [`${name}: ${row}`, value]));
	failures.push(...measured.failures);
}
console.info(["", table(rows), ...failures].join("\n"));
process.exit(failures.length === 0 ? 0 : 1);
