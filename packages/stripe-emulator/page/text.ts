import { type Html, html } from "./html.ts";

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

/** Formats milliseconds as "12 ms" or "1.5 s". */
export function milliseconds(time: number): string {
	return time < 1000 ? `${time} ms` : `${(time / 1000).toFixed(1)} s`;
}

/** Returns the name of a kind of object, such as "Payment intent". */
export function kindName(kind: string): string {
	return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("_", " ");
}
