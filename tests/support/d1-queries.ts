import { z } from "zod";
import { openShop, type Shop } from "./shop.ts";

/** What the shop asked D1 while it answered one request, in its order. */
const reportShape = z.object({
	/** Which request it was, counted from 1. */
	request: z.coerce.number(),
	queries: z.array(
		z.object({
			/** A batch is one query of several lines. */
			sql: z.string(),
			/** As D1 counts them: all that it looked at, in tables and indexes. */
			rowsRead: z.number(),
		}),
	),
});

type Queries = z.infer<typeof reportShape>["queries"];

/** A shop of which is known what it asks of D1. */
export interface CountedShop extends Shop {
	/** The queries that the last request of `ask` comes to, with whatever the Worker goes on doing after its answer. */
	queriesOf(ask: () => Promise<Response>): Promise<Queries>;
}

/** Starts the built shop as it is, with a tail Worker that workerd tells of its every call to D1. Close it when done. */
export async function openCountedShop(build?: string): Promise<CountedShop> {
	const reports = new Map<number, Queries>();
	let heard = () => {};
	const tail = {
		name: "tail",
		modules: true as const,
		script: tailWorker,
		compatibilityDate: "2026-10-01",
		compatibilityFlags: ["experimental", "streaming_tail_worker"],
		serviceBindings: {
			async REPORTS(request: { json(): Promise<unknown> }) {
				const { request: number, queries } = reportShape.parse(await request.json());
				reports.set(number, queries);
				heard();
				return new Response();
			},
		},
	};
	const shop = await openShop({ tail, ...(build && { build }) });
	let requests = 0;
	return {
		...shop,
		fetch(path, init) {
			const headers = new Headers(init?.headers);
			headers.set("counted-request", String(++requests));
			return shop.fetch(path, { ...init, headers });
		},
		async queriesOf(ask) {
			await (await ask()).arrayBuffer();
			const last = requests;
			for (;;) {
				const queries = reports.get(last);
				if (queries) return queries;
				await new Promise<void>((resolve) => {
					heard = resolve;
				});
			}
		},
	};
}

/** Gathers what D1 is asked for a request, and reports it when the Worker is done with it. */
const tailWorker = `export default {
	tailStream({ event: { info } }, env) {
		const request = info?.headers?.find(({ name }) => name === "counted-request")?.value;
		if (!request) return;
		const queries = [];
		return ({ event }) => {
			const attributes = new Map(event.type === "attributes" ? event.info.map(({ name, value }) => [name, value]) : []);
			const sql = attributes.get("db.query.text");
			if (sql) queries.push({ sql, rowsRead: Number(attributes.get("cloudflare.d1.response.rows_read")) });
			if (event.type !== "outcome") return;
			return env.REPORTS.fetch("http://reports", { method: "POST", body: JSON.stringify({ request, queries }) });
		};
	},
};`;
