import { tzOffset } from "@date-fns/tz";
import { addMinutes, format } from "date-fns";

/** A moment (Unix seconds) as the specification's 'MMMM Do YYYY, h:mma' in that zone: "November 20th 2026, 4:31pm". A
 *  Worker's own zone is UTC, in which a moment moved by the zone's offset reads as in that zone: a third of what a
 *  `TZDate` takes, and a page has twenty. */
export function formatOrderDate(seconds: number, timeZone: string): string {
	const moment = new Date(seconds * 1000);
	return format(addMinutes(moment, tzOffset(timeZone, moment)), "MMMM do yyyy, h:mmaaa");
}

/** The zone the edge believes the visitor is in. Never throws: a zone this runtime does not know is as good as none. */
export function requestTimeZone(request: Request): string {
	const zone =
		"cf" in request && typeof request.cf === "object" && request.cf && "timezone" in request.cf
			? request.cf.timezone
			: null;
	if (typeof zone !== "string") return "UTC";
	const known = zones.get(zone) ?? knownZone(zone);
	zones.set(zone, known);
	return known;
}

/** What the edge's names of zones came to, of which there are some hundreds: asking Intl costs a tenth of a page. */
const zones = new Map<string, string>();

function knownZone(zone: string): string {
	try {
		return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
	} catch {
		return "UTC";
	}
}
