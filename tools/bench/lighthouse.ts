// Runs Lighthouse on the built shop with the mobile defaults, which simulate a phone on a slow network. The shop is
// behind a proxy that compresses as Cloudflare does.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import audit, { type Result } from "lighthouse";
import playwright from "../../tests/playwright.config.ts";
import { mixer } from "../../tests/support/catalogue.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { openEdge } from "./edge.ts";
import { limits, type Measured, repetitions } from "./limits.ts";
import type { Report } from "./table.ts";

const pages = ["/", `/product/${mixer.id}`, "/login", "/checkout", "/payment", "/orders"];
const runs = repetitions(5);

const categories = ["performance", "accessibility", "best-practices", "seo", "agentic-browsing"];

/** Below this benchmark index of the machine, the simulated times mean little, so they are not limited. */
const minMachine = 1000;

/** Audits each page five times and reports the run with the median performance score: scores, largest and first contentful
 *  paint, time to interactive, layout shift, total blocking time, bytes, and the machine's benchmark index. */
export async function lighthouse(report: Report): Promise<void> {
	const shop = await openShop();
	const edge = await openEdge(shop.url);
	const browser = await openBrowser(edge.trust);
	const begin = progress(repetitions(pages.length) * runs);
	for (const path of pages.slice(0, repetitions(pages.length))) {
		const results: Result[] = [];
		while (results.length < runs) {
			begin(path);
			results.push(await auditPage(new URL(path, edge.url), browser.port));
		}
		const performanceOf = (result: Result) => scoreOf(result, "performance");
		const median = results.toSorted((a, b) => performanceOf(a) - performanceOf(b))[Math.floor(runs / 2)];
		if (!median) throw new Error("There are no runs.");
		const isSlow = median.environment.benchmarkIndex < minMachine;
		const scores = categories.map((category) => scoreWithLimit(median, category));
		const measured: Measured[] = [...scores, [limits.lcp, lcpOf(median)]];
		report(
			path,
			describe(median),
			measured.filter(([{ timed }]) => !(timed && isSlow)),
		);
	}
	await browser.close();
	edge.close();
	await shop.close();
}

/** Starts Chromium with a debugging port for Lighthouse and with the back/forward cache enabled. */
async function openBrowser(trust: string) {
	const profile = await mkdtemp(join(tmpdir(), "half-dozen-lighthouse-"));
	const { args = [], ...options } = playwright.use?.launchOptions ?? {};
	const context = await chromium.launchPersistentContext(profile, {
		...options,
		args: [...args, "--remote-debugging-port=0", trust],
		ignoreDefaultArgs: ["--disable-back-forward-cache"],
	});
	const [port] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
	return {
		port: Number(port),
		async close() {
			await context.close();
			await rm(profile, { recursive: true });
		},
	};
}

async function auditPage(url: URL, port: number, attempts = 3): Promise<Result> {
	const run = await audit(url.href, { port, logLevel: "error", onlyCategories: categories });
	if (!run) throw new Error(`Lighthouse returned no result for ${url.href}.`);
	const { runtimeError } = run.lhr;
	// on a busy machine, the start of the trace may be missing
	if (runtimeError && attempts > 1) return auditPage(url, port, attempts - 1);
	if (runtimeError) throw new Error(`Lighthouse failed on ${url.href}: ${runtimeError.message}`);
	return run.lhr;
}

const scoreOf = (result: Result, category: string) => Math.round((result.categories[category]?.score ?? 0) * 100);
const numberOf = (result: Result, id: string) => result.audits[id]?.numericValue ?? Number.NaN;
const lcpOf = (result: Result) => numberOf(result, "largest-contentful-paint");

function describe(result: Result): string {
	const seconds = (id: string) => `${(numberOf(result, id) / 1000).toFixed(2)} s`;
	return [
		...categories.map((category) => `${category} ${scoreOf(result, category)}`),
		`LCP ${seconds("largest-contentful-paint")}`,
		`FCP ${seconds("first-contentful-paint")}`,
		`TTI ${seconds("interactive")}`,
		`CLS ${numberOf(result, "cumulative-layout-shift").toFixed(3)}`,
		`TBT ${Math.round(numberOf(result, "total-blocking-time"))} ms`,
		`${Math.round(numberOf(result, "total-byte-weight") / 1000)} kB`,
		`machine ${Math.round(result.environment.benchmarkIndex)}`,
	].join("  ");
}

/** Returns a category's score with its limit, which names the audits that lower the score. */
function scoreWithLimit(result: Result, category: string): Measured {
	const audits = (result.categories[category]?.auditRefs ?? []).map(({ id }) => result.audits[id]);
	const titles = audits.flatMap((audit) => (audit && audit.score !== null && audit.score < 0.9 ? [audit.title] : []));
	const limit = category === "performance" ? limits.performance : limits.score;
	return [{ ...limit, of: `points for ${category} (${titles.join("; ")})` }, scoreOf(result, category)];
}
