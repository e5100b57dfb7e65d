import { type Content, type Html, html } from "./html.ts";

const clock = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	timeZone: "UTC",
});

/** Formats a time as "3 Feb, 14:05:09", in UTC. `at` is in Unix seconds. */
export function time(at: number): Html {
	const date = new Date(at * 1000);
	return html`<time datetime="${date.toISOString()}">${clock.format(date)}</time>`;
}

const units = [
	["day", 86_400],
	["h", 3600],
	["min", 60],
	["s", 1],
] as const;

/** Formats a whole number of seconds as "1 day 2 h 1 s". */
export function duration(seconds: number): string {
	let rest = seconds;
	const parts: string[] = [];
	for (const [name, length] of units) {
		const count = Math.floor(rest / length);
		rest -= count * length;
		if (count > 0) parts.push(`${count} ${name}${name === "day" && count > 1 ? "s" : ""}`);
	}
	return parts.join(" ") || "0 s";
}

/** Returns the names and values in a closed `<details>`, whose summary lists the names. */
export function pairs(params: Record<string, string>): Content {
	const entries = Object.entries(params);
	if (entries.length === 0) return "";
	return html`<details><summary>${entries.map(([name]) => name).join(", ")}</summary>
<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details>`;
}
