import { installPackages } from "../../tools/scripts/apt.ts";
import { readArguments } from "../../tools/scripts/arguments.ts";
import { buildIfStale } from "../../tools/scripts/build.ts";
import { openShop } from "../support/shop.ts";
import { chromium } from "./chromium.ts";
import type { Engine } from "./engine.ts";
import { firefox } from "./firefox.ts";
import { interceptor } from "./interceptor.ts";
import { Page, Unmet } from "./page.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { webkit } from "./webkit.ts";

const help = `Usage: npm run test:engines -- [-t PATTERN] [chromium] [firefox] [webkit]

Plays every scenario in every engine, or only in these engines. With -t, plays only those whose titles match. The last
line has the totals.

Example: npm run test:engines -- firefox -t cookies`;
const all = [chromium, firefox, webkit];
const { values, positionals } = readArguments(help, { title: { type: "string", short: "t" } }, (engine) =>
	all.some(({ name }) => name === engine),
);
const engines = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const chosen = Object.entries(scenarios).filter(([title]) => new RegExp(values.title ?? "").test(title));

if (!(await buildIfStale())) process.exit(1);
const shop = await openShop({ https: true, inFront: (shop) => [interceptor(shop)] });
const total = { passed: 0, failed: 0, skipped: 0 };
const rows = new Map(chosen.map(([title]) => [title, ""]));
for (const engine of engines) {
	if (engine.missing().length > 0) await installPackages(...engine.packages);
	const missing = engine.missing();
	if (missing.length > 0) console.error(`${engine.name} is skipped. Missing: ${missing.join(", ")}`);
	for (const [title, scenario] of chosen) {
		const start = performance.now();
		const failure = missing.length > 0 ? undefined : await runScenario(engine, scenario);
		const seconds = ((performance.now() - start) / 1000).toFixed(1);
		const result = missing.length > 0 ? "skipped" : failure ? "failed" : "passed";
		total[result]++;
		const cell = { passed: seconds, failed: `${seconds} ✗`, skipped: "-" }[result];
		rows.set(title, rows.get(title) + cell.padStart(12));
		console.info(`${engine.name}: ${title}: ${failure ?? result}`);
	}
	await engine.stop();
}
await shop.close();

for (const [title, cells] of rows) console.info(`${title.slice(0, 86).padEnd(88)}${cells}`);
console.info(`${"".padEnd(88)}${engines.map(({ name }) => name.padStart(12)).join("")}`);
const { passed, failed, skipped } = total;
console.info(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
// on a developer's machine, a skipped engine is a failure: CI may lack one
process.exit(failed > 0 || passed === 0 || (skipped > 0 && !process.env["CI"]) ? 1 : 0);

/** Runs a scenario, and once more if the driver fails. Returns why it failed. */
async function runScenario(engine: Engine, scenario: Scenario): Promise<string | undefined> {
	return attemptScenario(engine, scenario).catch(async (error: unknown) => {
		console.error(`${engine.name}: the driver is started again: ${error}`);
		await engine.stop();
		return attemptScenario(engine, scenario).catch((error: unknown) => `the driver failed twice: ${error}`);
	});
}

/** Runs a scenario in a new profile. Returns why it failed, and rejects if the driver fails. */
async function attemptScenario(engine: Engine, scenario: Scenario): Promise<string | undefined> {
	const { refusesCookies = false, causes, logs, adds = {}, run } = scenario;
	const browser = await engine.start({ refusesCookies });
	async function open(path: string): Promise<Page> {
		const page = new Page(await browser.openWindow(), shop.url);
		await page.open(path);
		return page;
	}
	const countRows = (table: string) => shop.d1.prepare(`select count(*) as count from ${table}`).first<number>("count");
	const before = await Promise.all(Object.keys(adds).map(countRows));
	try {
		await run(await open("/"), open);
		for (const [index, [table, rows]] of Object.entries(adds).entries()) {
			const added = Number(await countRows(table)) - Number(before[index]);
			if (added !== rows) throw new Unmet(`expected ${rows} new rows in ${table}, but there are ${added}`);
		}
	} catch (error) {
		if (!(error instanceof Unmet)) throw error;
		return [error.message, ...new Set(browser.errors)].join("\n\t");
	} finally {
		await browser.close().catch(() => {});
	}
	const errors = [...new Set(browser.errors)].filter(
		(text) => !text.includes(`responded with a status of ${causes}`) && !(logs && text.startsWith(logs)),
	);
	return errors.length > 0 ? ["expected no errors, but the console has", ...errors].join("\n\t") : undefined;
}
