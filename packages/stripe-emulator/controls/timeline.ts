import type Stripe from "stripe";
import { money } from "../page/text.ts";
import type { Store } from "../store.ts";
import type { Attempt, Deliveries, Delivery } from "../webhooks/deliveries.ts";
import type { Entry, Journal } from "./journal.ts";
import { masked } from "./mask.ts";
import type { Settings } from "./settings.ts";

/** What the console displays. The page's URL has the same parameters. */
export interface View {
	/** Words that an entry must contain. */
	q: string;
	/** "request", "event", "webhook", a kind of object, or "" for all. */
	kind: string;
	outcome: Outcome | "";
	/** The name of an endpoint, whose requests are displayed. */
	endpoint: string;
	limit: number;
	/** The id of an object, event or request, or "cards" or "controls". */
	open: string;
	/** Words that a listed test card must contain. */
	card: string;
}

export type Outcome = "good" | "waiting" | "bad";

/** A request, an event, a webhook attempt or an object, as one entry of the timeline. */
export interface TimelineEntry {
	kind: string;
	/** The id of the request or object to open; a webhook attempt opens its event. */
	id: string;
	/** The number of the webhook attempt, from 1. */
	attempt?: number;
	/** Unix seconds. */
	created: number;
	summary: string;
	/** The id of the payment or other object that the entry concerns. */
	about: string;
	/** Why a payment or request failed, an injected fault, and the like. */
	note: string;
	status: string;
	outcome: Outcome | "";
	/** Milliseconds. */
	duration?: number;
}

/** An opened object, event or request. */
export interface Item {
	id: string;
	kind: string;
	object?: { [name: string]: unknown };
	request?: Entry;
	delivery?: Delivery;
	attempts: Attempt[];
	/** The entries that contain the item's id. */
	related: TimelineEntry[];
}

export interface ConsoleData {
	/** Unix seconds. */
	now: number;
	settings: Settings;
	/** The number of held webhooks. */
	held: number;
	kinds: string[];
	entries: TimelineEntry[];
	hasMore: boolean;
	/** Null if nothing is open; undefined values are absent from the JSON. */
	item: Item | null;
	keys: { secretKey: string; publishableKey: string };
}

interface Sources {
	store: Store;
	journal: Journal;
	deliveries: Deliveries;
}

const defaultLimit = 100;
/** Objects that are listed only if their kind is selected, or if they match a search. */
const inner = ["authentication", "balance_transaction", "charge", "payment_method", "token"];

/** Reads a view from the query of the page's URL. */
export function viewOf(query: URLSearchParams): View {
	const text = (name: string) => query.get(name)?.trim() ?? "";
	const outcome = (["good", "waiting", "bad"] as const).find((each) => each === text("outcome")) ?? "";
	const limit = Math.min(Math.max(Number.parseInt(text("limit"), 10) || defaultLimit, 1), 1000);
	const [q, kind, endpoint, open, card] = [text("q"), text("kind"), text("endpoint"), text("open"), text("card")];
	return { q, kind, outcome, endpoint, limit, open, card };
}

/** Returns the relative URL of a view. */
export function linkTo(view: Partial<View>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(view)) {
		if (value !== "" && !(name === "limit" && value === defaultLimit)) query.set(name, String(value));
	}
	return query.size === 0 ? "./" : `./?${query}`;
}

/** Returns the timeline and the opened item of a view. Secrets and card numbers are masked. */
export function consoleData(sources: Sources, view: View, state: { now: number; settings: Settings }) {
	const entries = timeline(sources, view, view.limit + 1);
	return {
		...state,
		held: sources.deliveries.held,
		kinds: sources.store.kinds().filter((kind) => kind !== "event"),
		entries: masked(entries.slice(0, view.limit)),
		hasMore: entries.length > view.limit,
		item: masked(open(sources, view.open)),
	};
}

function open(sources: Sources, id: string): Item | null {
	const { store, journal, deliveries } = sources;
	if (id === "") return null;
	const related = timeline(sources, { ...viewOf(new URLSearchParams()), q: id }, 50).filter((entry) => entry.id !== id);
	for (const { entry } of id.startsWith("req_") ? journal.newest() : []) {
		if (entry.request_id === id) return { id, kind: "request", request: entry, attempts: [], related };
	}
	const event = store.find("event", id);
	const found: object | undefined = event ?? store.findAny(id);
	if (!found) return null;
	const object = { ...found };
	const kind = "object" in object ? String(object.object) : "object";
	if (!event) return { id, kind, object, attempts: [], related };
	const delivery = deliveries.find(id);
	return { id, kind, object, ...(delivery && { delivery }), attempts: deliveries.attempts(id), related };
}

/** An entry and its order among entries of the same second: of the request that caused it, and then by kind. */
interface Candidate {
	entry: TimelineEntry;
	cause: string | undefined;
	/** The text to search. */
	text(): string;
}

/** Returns up to `limit` matching entries, newest first. Within a second, an entry follows the request that caused it. */
function timeline(sources: Sources, view: View, limit: number): TimelineEntry[] {
	const { q, kind, outcome, endpoint } = view;
	const words = q.toLowerCase().split(/\s+/).filter(Boolean).map(spellings);
	const matches = ({ entry, text }: Candidate): boolean => {
		if (outcome !== "" && entry.outcome !== outcome) return false;
		if (words.length === 0) return true;
		const searched = `${entry.summary} ${entry.status} ${text()}`.toLowerCase();
		return words.every((word) => word.some((spelling) => searched.includes(spelling)));
	};
	const wants = (each: string) => (endpoint === "" ? kind === "" || kind === each : each === "request");
	const order = new Map<string, number>();
	const isObject = kind !== "" && !["request", "event", "webhook"].includes(kind);
	const found = [
		...(wants("request") ? take(requests(sources, endpoint, order)) : []),
		...(wants("event") ? take(events(sources)) : []),
		...(wants("webhook") ? take(attempts(sources)) : []),
		...(isObject || wants("") ? take(objects(sources, kind, q !== "")) : []),
	];
	const place = ({ cause = "" }: Candidate) => order.get(cause) ?? Number.MAX_SAFE_INTEGER;
	const rank = ({ entry }: Candidate) => ["webhook", "event", "request"].indexOf(entry.kind) * 2 || 0;
	return found
		.toSorted((a, b) => b.entry.created - a.entry.created || place(b) - place(a) || rank(a) - rank(b))
		.slice(0, limit)
		.map(({ entry }) => entry);

	function take(candidates: Iterable<Candidate>): Candidate[] {
		const taken: Candidate[] = [];
		for (const candidate of candidates) {
			if (matches(candidate)) taken.push(candidate);
			if (taken.length === limit) break;
		}
		return taken;
	}
}
