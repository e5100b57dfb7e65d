import { tzOffset } from "@date-fns/tz";
import { addMinutes } from "date-fns/addMinutes";
import { format } from "date-fns/format";

/** Formats Unix seconds in a time zone as the specification's 'MMMM Do YYYY, h:mma': "November 20th 2026, 4:31pm". A
 *  Worker runs in UTC, so adding the zone's offset is enough. A `TZDate` would take three times as long for each of a
 *  page's twenty dates. */
export function formatOrderDate(seconds: number, timeZone: string): string {
	const moment = new Date(seconds * 1000);
	return format(addMinutes(moment, tzOffset(timeZone, moment)), "MMMM do yyyy, h:mmaaa");
}

/** Returns the visitor's time zone according to Cloudflare, or UTC if it is missing or unknown to this runtime. */
export function requestTimeZone(request: Request): string {
	const zone =
		"cf" in request && typeof request.cf === "object" && request.cf && "timezone" in request.cf
			? request.cf.timezone
			: null;
	if (typeof zone !== "string") return "UTC";
	try {
		return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
	} catch {
		return "UTC";
	}
}
