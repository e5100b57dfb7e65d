// Requests one page repeatedly over keep-alive connections and measures each response time. The requests are sent from
// a worker thread, whose entry point is also this file.
import { Agent, get } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { short } from "./short.ts";

interface LoadOptions {
	url: string;
	headers: Record<string, string>;
	/** Number of concurrent requests. */
	connections: number;
	milliseconds: number;
}

export interface LoadResult {
	perSecond: number;
	/** Milliseconds until the last byte of each response. */
	times: number[];
}

/** Sends the requests. Rejects if a response's status is not 200. */
export function load(options: LoadOptions): Promise<LoadResult> {
	return new Promise((resolve, reject) => {
		new Worker(new URL(import.meta.url), { workerData: options }).once("message", resolve).once("error", reject);
	});
}

async function run({ url, headers, connections, milliseconds }: LoadOptions): Promise<LoadResult> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const times: number[] = [];
	const start = performance.now();
	const requestOnce = () =>
		new Promise<void>((resolve, reject) => {
			const sent = performance.now();
			const request = get(url, { agent, headers }, (response) => {
				if (response.statusCode !== 200) reject(new Error(`GET ${url} returned ${response.statusCode}.`));
				response.on("end", () => {
					times.push(performance.now() - sent);
					resolve();
				});
				response.resume();
			});
			request.on("error", reject);
		});
	const connection = async () => {
		while (performance.now() - start < (short ? 100 : milliseconds)) await requestOnce();
	};
	await Promise.all(Array.from({ length: connections }, connection));
	const seconds = (performance.now() - start) / 1000;
	agent.destroy();
	return { perSecond: times.length / seconds, times };
}

if (!isMainThread) parentPort?.postMessage(await run(workerData));
