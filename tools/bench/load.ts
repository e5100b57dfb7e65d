// Asks a server for one page over and over on kept-alive connections, in a thread of its own, and notes how long each
// answer takes. Whoever wants load calls `load`; the thread runs this same file.
import { Agent, get } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

interface Asked {
	url: string;
	headers: Record<string, string>;
	/** How many requests are under way at any time. */
	connections: number;
	milliseconds: number;
}

export interface Answered {
	perSecond: number;
	/** Milliseconds from asking to the last byte, of each answer. */
	times: number[];
}

/** Throws when an answer is not 200. */
export function load(asked: Asked): Promise<Answered> {
	return new Promise((resolve, reject) => {
		new Worker(new URL(import.meta.url), { workerData: asked }).once("message", resolve).once("error", reject);
	});
}

async function ask({ url, headers, connections, milliseconds }: Asked): Promise<Answered> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const times: number[] = [];
	const start = performance.now();
	const askOne = () =>
		new Promise<void>((resolve, reject) => {
			const asked = performance.now();
			const request = get(url, { agent, headers }, (response) => {
				if (response.statusCode !== 200) reject(new Error(`GET ${url} is ${response.statusCode}.`));
				response.on("end", () => {
					times.push(performance.now() - asked);
					resolve();
				});
				response.resume();
			});
			request.on("error", reject);
		});
	const connection = async () => {
		while (performance.now() - start < milliseconds) await askOne();
	};
	await Promise.all(Array.from({ length: connections }, connection));
	const seconds = (performance.now() - start) / 1000;
	agent.destroy();
	return { perSecond: times.length / seconds, times };
}

if (!isMainThread) parentPort?.postMessage(await ask(workerData));
