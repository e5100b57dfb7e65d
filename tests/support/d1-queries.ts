import { z } from "zod";
import { openShop } from "./shop.ts";

const queriesShape = z.array(
	z.object({
		/** A batch is reported as one query with several lines. */
		sql: z.string(),
		/** Number of rows scanned in tables and indexes, as billed by D1. */
		rowsRead: z.number(),
	}),
);
const reportShape = z.object({ request: z.coerce.number(), queries: queriesShape });

type Queries = z.infer<typeof queriesShape>;

/** Starts the built shop with a tail Worker that records D1 queries. Close the shop when done. */
export async function openCountedShop(build?: string) {
	const reports = new Map<number, PromiseWithResolvers<Queries>>();
	const tail = {
		name: "tail",
		modules: true as const,
		script: tailWorker,
		compatibilityDate: "2026-10-01",
		compatibilityFlags: ["experimental", "streaming_tail_worker"],
		serviceBindings: {
			async REPORTS(report: { json(): Promise<unknown> }) {
				const { request, queries } = reportShape.parse(await report.json());
				reports.get(request)?.resolve(queries);
				return new Response();
			},
		},
	};
	const shop = await openShop({ tail, ...(build && { build }) });
	let last = 0;
	return {
		...shop,
		fetch(path: string, init?: RequestInit) {
			reports.set(++last, Promise.withResolvers());
			const headers = new Headers(init?.headers);
			headers.set("counted-request", String(last));
			return shop.fetch(path, { ...init, headers });
		},
		/** Returns the D1 queries of the last request that `send` makes, including queries made after the response. */
		async queriesOf(send: () => Promise<Response>) {
			await (await send()).arrayBuffer();
			return (await reports.get(last)?.promise) ?? [];
		},
	};
}

/** Reports each request's D1 queries once the Worker has finished handling the request. */
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
