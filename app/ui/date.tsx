import { useSyncExternalStore } from "react";

/** Renders a date and time in the viewer's time zone. `text` is the server's, in the time zone that Cloudflare reports:
 *  hydration must render the same text. */
export function LocalDate({ seconds, text }: { seconds: number; text: string }) {
	const shown = useSyncExternalStore(
		neverChanges,
		() => formatLocally(seconds),
		() => text,
	);
	return <time dateTime={new Date(seconds * 1000).toISOString()}>{shown}</time>;
}

/** Subscribes to nothing: for `useSyncExternalStore` with a value that differs only between server and browser. */
const neverChanges = () => () => {};

// Intl, because date-fns would add 5 kB to the scripts
const parts = {
	month: "long",
	day: "numeric",
	year: "numeric",
	hour: "numeric",
	minute: "2-digit",
	hourCycle: "h12",
} as const;

/** Returns the same text as `formatOrderDate` on the server. `timeZone` defaults to the browser's. */
export function formatLocally(seconds: number, timeZone?: string): string {
	const formatter = new Intl.DateTimeFormat("en-US", { ...parts, timeZone });
	const part = Object.fromEntries(formatter.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
	const { month, day, year, hour, minute, dayPeriod } = part;
	return `${month} ${day}${ordinal(Number(day))} ${year}, ${hour}:${minute}${dayPeriod?.toLowerCase()}`;
}

function ordinal(day: number): string {
	if (day > 10 && day < 14) return "th";
	return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
