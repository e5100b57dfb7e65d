import { useEffect, useState } from "react";

interface Moment {
	/** Unix seconds. */
	seconds: number;
	/** The server's text, in the zone the edge saw. It is what hydration compares with. */
	text: string;
}

/** A date and time in the viewer's own zone: the server's text first, the browser's once it runs. */
export function LocalDate({ seconds, text }: Moment) {
	const [shown, setShown] = useState(text);
	useEffect(() => setShown(formatLocally(seconds)), [seconds]);
	return <time dateTime={new Date(seconds * 1000).toISOString()}>{shown}</time>;
}

// Intl costs no bytes; date-fns would cost 5 kB of them in every browser.
const parts = {
	month: "long",
	day: "numeric",
	year: "numeric",
	hour: "numeric",
	minute: "2-digit",
	hourCycle: "h12",
} as const;

/** The same 'MMMM Do YYYY, h:mma' as `formatOrderDate` on the server; `timeZone` is the browser's unless given. */
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
