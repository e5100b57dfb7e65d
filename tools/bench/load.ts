// Requests pages repeatedly over keep-alive connections. The requests are sent from a worker thread, whose entry point is
// also this file.
import { Agent, get } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { repetitions, short } from "./limits.ts";
import { median } from "./table.ts";

interface Page {
	url: URL;
	headers: Record<string, string>;
}

const rounds = repetitions(7);
const connections = 32;
const milliseconds = short ? 100 : 1000;

/** Requests a page and another one in turns, because the machine's load varies. Resolves to the median requests per
 *  second of the page, and to their median percentage of the other's in the same round. */
export async function compare(page: Page, other: Page): Promise<[perSecond: number, percent: number]> {
	const measured: { perSecond: number; percent: number }[] = [];
	// the first round is a warm-up, in which V8 compiles the code
	for (let round = 0; round <= rounds; round++) {
		const [others, perSecond] = [await load(other), await load(page)];
		if (round > 0) measured.push({ perSecond, percent: (100 * perSecond) / others });
	}
	const middle = (key: "perSecond" | "percent") => Math.round(median(measured.map((round) => round[key])));
	return [middle("perSecond"), middle("percent")];
}

/** Resolves to the requests per second. Rejects if a response's status is not 200. */
function load({ url, headers }: Page): Promise<number> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL(import.meta.url), { workerData: { url: url.href, headers } });
		worker.once("message", resolve).once("error", reject);
	});
}

async function run({ url, headers }: { url: string; headers: Page["headers"] }): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	let responses = 0;
	const start = performance.now();
	const requestOnce = () =>
		new Promise<void>((resolve, reject) => {
			const request = get(url, { agent, headers }, (response) => {
				if (response.statusCode !== 200) reject(new Error(`GET ${url} returned ${response.statusCode}.`));
				response.on("end", () => {
					responses++;
					resolve();
				});
				response.resume();
			});
			request.on("error", reject);
		});
	const connection = async () => {
		while (performance.now() - start < milliseconds) await requestOnce();
	};
	await Promise.all(Array.from({ length: connections }, connection));
	const seconds = (performance.now() - start) / 1000;
	agent.destroy();
	return responses / seconds;
}

if (!isMainThread) parentPort?.postMessage(await run(workerData));
