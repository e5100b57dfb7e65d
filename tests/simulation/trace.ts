import type { Prepared, Scenario } from "./scenario.ts";
import { type Choose, runSchedule, type Step } from "./schedule.ts";
import type { Option } from "./scheduler.ts";

/** Returns a schedule as one line: the index of the option that each step has chosen, or `f` and an index for a fault,
 *  without trailing zeros. */
export function lineOf({ title }: Scenario, path: readonly { options: Option[]; choices: number[] }[]): string {
	const tokens = path.map(({ options, choices: [chosen = 0] }) => {
		const plain = plainIn(options);
		// the end of a schedule has no options
		return chosen < plain || options.length === 0 ? String(chosen) : `f${chosen - plain}`;
	});
	return `${title}: ${tokens.join(" ").replace(/( 0)+$/, "")}`;
}

/** Returns a function that chooses the options recorded in a line and, after its end, the default ones. */
function follow(line: string): Choose {
	const tokens = line
		.slice(line.lastIndexOf(":") + 1)
		.trim()
		.split(/\s+/);
	let depth = 0;
	return (options) => {
		const token = tokens[depth++] ?? "0";
		return token.startsWith("f") ? plainIn(options) + Number(token.slice(1)) : Number(token);
	};
}

const plainIn = (options: Option[]) => options.filter(({ fault }) => !fault).length;

export interface Trace {
	text: string;
	isViolated: boolean;
}

/** Replays a schedule. Returns its result, the command that replays it, and its steps as numbered lines. */
export async function trace(prepared: Prepared, line: string): Promise<Trace> {
	const steps: string[] = [];
	const note = ({ ms, option, text }: Step) => {
		const { call, timer, fault } = option;
		const who = call?.scope.name ?? timer?.scope.name ?? "";
		const what = timer ? "a timer fires" : (call?.label() ?? "");
		const suffix = fault ? ` [${fault}]` : "";
		const result = text === "" ? "" : ` -> ${shorten(text)}`;
		steps.push(`${String(steps.length + 1).padStart(3)} ${(ms / 1000).toFixed(1)}s ${who}: ${what}${suffix}${result}`);
	};
	const violation = await runSchedule(prepared, follow(line), note).then(
		() => null,
		(error) => String(error instanceof Error ? error.message : error),
	);
	const command = `SCHEDULE="${line}" npx vitest run --config tests/vitest.config.ts --silent=false simulation.test`;
	// also at the end, because a list of steps is long
	const result = violation ?? "Every invariant holds.";
	const lines = [result, `To replay these steps, with all details: ${command}`, ...steps, result];
	return { text: shortIds(lines.join("\n")), isViolated: violation !== null };
}

/** Shortens a response to its relevant part. */
function shorten(text: string): string {
	const plain = text
		// Stripe indents its JSON
		.replaceAll(/\n\s*|(?<=":) /g, "")
		.replaceAll(/\{"success":true,"results":(\[.*?\]),"meta":\{"changes":(\d+)\}\}/g, "$1 changes $2")
		.replaceAll(/"(?:image|description|title)":"[^"]*",?/g, "");
	const intent = /"object":"payment_intent".*?"amount_received":(\d+).*"status":"(\w+)"/.exec(plain);
	const short = intent && plain.startsWith('200 {"id"') ? `200 ${intent[2]}, received ${intent[1]}` : plain;
	return cut(short, 150);
}

/** Returns the beginning of a text, or the whole text in a replay. */
export function cut(text: string, length: number): string {
	return text.length > length && !process.env["SCHEDULE"] ? `${text.slice(0, length)}…` : text;
}

/** Replaces ids with short, numbered ones that are easy to distinguish. A payment's client secret begins with its id. */
function shortIds(text: string): string {
	const names = new Map<string, string[]>();
	return text.replaceAll(
		/\b(pi|evt|ch|re|pm)_[A-Za-z0-9]{24}(_secret)?(?:_[A-Za-z0-9]+)?/g,
		(id, kind, secret = "") => {
			const known = names.get(kind) ?? [];
			names.set(kind, known);
			const whole = id.slice(0, kind.length + 25);
			if (!known.includes(whole)) known.push(whole);
			return `${kind}_${known.indexOf(whole) + 1}${secret}`;
		},
	);
}
