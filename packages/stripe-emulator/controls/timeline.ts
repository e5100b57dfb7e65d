import type Stripe from "stripe";
import { z } from "zod";
import { formatAmount } from "../objects/currencies.ts";
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
	/** The position of a webhook attempt among all attempts. */
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
	/** The id of the item, or of the payment that an event concerns. */
	about: string;
	/** The newest entries that contain this id. */
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
const maxRelated = 50;
/** Objects that are listed only if their kind is selected, or if they match a search. */
const inner = ["authentication", "balance_transaction", "charge", "payment_method", "setup_attempt", "token"];

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
	for (const { entry } of id.startsWith("req_") ? journal.newest() : []) {
		if (entry.request_id !== id) continue;
		return { id, kind: "request", request: entry, attempts: [], ...relatedTo(id) };
	}
	const event = store.find("event", id);
	const found: object | undefined = event ?? store.findAny(id);
	if (!found) return null;
	const object: Fields = { ...found };
	const kind = "object" in object ? String(object["object"]) : "object";
	if (!event) return { id, kind, object, attempts: [], ...relatedTo(id) };
	const delivery = deliveries.find(id);
	const about = relatedTo(aboutObject({ ...event.data.object }));
	return { id, kind, object, ...(delivery && { delivery }), attempts: deliveries.attempts(id), ...about };

	function relatedTo(about: string) {
		const entries = timeline(sources, { ...viewOf(new URLSearchParams()), q: about }, maxRelated + 1);
		return { about, related: entries.filter((entry) => entry.id !== id).slice(0, maxRelated) };
	}
}

/** An entry and the id of the request that caused it, or of the object that it concerns. */
interface Candidate {
	entry: TimelineEntry;
	cause: string | null;
}

/** Returns whether a text contains the searched words. */
type Contains = (text: string) => boolean;

/** Returns up to `limit` matching entries, newest first. Within a second, what a request caused follows the request. */
function timeline(sources: Sources, view: View, limit: number): TimelineEntry[] {
	const { q, kind, outcome, endpoint } = view;
	const words = q.toLowerCase().split(/\s+/).filter(Boolean).map(spellings);
	const contains: Contains = (text) => {
		if (words.length === 0) return true;
		const searched = text.toLowerCase();
		return words.every((word) => word.some((spelling) => searched.includes(spelling)));
	};
	/** The positions of requests, and of the first requests that concern an object. */
	const positions = new Map<string, number>();
	const wants = (each: string) => (endpoint === "" ? kind === "" || kind === each : each === "request");
	const own = ["request", "event", "webhook"];
	const found = [
		...(wants("request") ? take(requests(sources, contains, endpoint, positions)) : []),
		...(wants("event") ? take(events(sources, contains)) : []),
		...(wants("webhook") ? take(attempts(sources, contains)) : []),
		...(own.includes(kind) || endpoint !== "" ? [] : take(objects(sources, contains, kind, q !== ""))),
	];
	const place = ({ cause }: Candidate) => positions.get(cause ?? "") ?? Number.MAX_SAFE_INTEGER;
	const ranks: Record<string, number> = { request: 0, event: 2, webhook: 3 };
	const rank = ({ entry }: Candidate) => ranks[entry.kind] ?? 1;
	return found
		.toSorted((a, b) => b.entry.created - a.entry.created || place(b) - place(a) || rank(b) - rank(a))
		.slice(0, limit)
		.map(({ entry }) => entry);

	function take(candidates: Iterable<Candidate>): Candidate[] {
		const taken: Candidate[] = [];
		for (const candidate of candidates) {
			if (taken.length === limit) break;
			if (outcome === "" || candidate.entry.outcome === outcome) taken.push(candidate);
		}
		return taken;
	}
}

/** Returns a searched word and, for an amount such as 14.99, its forms in cents in JSON. */
function spellings(word: string): string[] {
	const [, whole, cents] = /^\$?(\d[\d,]*)\.(\d\d)$/.exec(word) ?? [];
	if (whole === undefined) return [word];
	const amount = `${whole.replaceAll(",", "")}${cents}`.replace(/^0+(?=\d)/, "");
	return [word, `:${amount},`, `:${amount}}`, `:"${amount}"`];
}

function* requests(
	{ journal }: Sources,
	contains: Contains,
	endpoint: string,
	positions: Map<string, number>,
): Generator<Candidate> {
	for (const { position, entry } of journal.newest()) {
		const { request_id: id, created, method, path, status, response, duration, fault, replayed, caller } = entry;
		const about = aboutRequest(path, response);
		positions.set(id, position);
		positions.set(about, position);
		if (endpoint !== "" && entry.endpoint !== endpoint) continue;
		if (!contains(`${JSON.stringify({ ...entry, response: "" })} ${response}`)) continue;
		const message = status >= 400 && errorMessage(response);
		const note = [caller, fault && `fault: ${fault}`, replayed && "replayed", message];
		yield {
			entry: {
				...{ kind: "request", id, created, summary: `${method} ${path}`, about, duration },
				...{ note: note.filter(Boolean).join(" · "), status: String(status), outcome: status < 400 ? "good" : "bad" },
			},
			cause: id,
		};
	}
}

const errorShape = z.object({ error: z.object({ message: z.string() }) });

/** Returns the message of an error response; "" if the stored response is incomplete. */
function errorMessage(response: string): string {
	try {
		return errorShape.parse(JSON.parse(response)).error.message;
	} catch {
		return "";
	}
}

/** Returns the id of the object that a request concerns: the payment of its response, or the id in its path. */
function aboutRequest(path: string, response: string): string {
	const inPath = /^\/v1\/\w+\/(\w+_\w+)/.exec(path)?.[1] ?? "";
	if (response.startsWith('{"object":"list"')) return inPath;
	const [, payment = ""] = response.split(/"payment_intent":(?:\{"id":)?"/, 2);
	if (payment.startsWith("pi_")) return payment.slice(0, payment.indexOf('"'));
	return inPath || (/^\{"id":"(\w+)"/.exec(response)?.[1] ?? "");
}

function* events({ store, deliveries }: Sources, contains: Contains): Generator<Candidate> {
	for (const { id, object: json } of store.newest("event")) {
		if (!contains(json)) continue;
		const event: Stripe.Event = JSON.parse(json);
		const delivery = deliveries.find(id);
		const about = aboutObject({ ...event.data.object });
		const { created, type: summary, request } = event;
		const status = delivery?.state ?? "no endpoint";
		yield {
			entry: { kind: "event", id, created, summary, about, note: "", status, outcome: outcomeOf(status) },
			cause: request?.id ?? null,
		};
	}
}

function* attempts({ store, deliveries }: Sources, contains: Contains): Generator<Candidate> {
	for (const { position, event: id, attempt } of deliveries.newestAttempts()) {
		const event = store.find("event", id);
		if (!contains(JSON.stringify([attempt, event]))) continue;
		const { created, endpoint, status, answer, duration } = attempt;
		yield {
			entry: {
				...{ kind: "webhook", id, attempt: position, created, summary: event?.type ?? "deleted event", duration },
				about: event ? aboutObject({ ...event.data.object }) : "",
				note: [answer.slice(0, 200), endpoint].filter(Boolean).join(" · "),
				status: String(status ?? "no response"),
				outcome: status !== null && status >= 200 && status < 300 ? "good" : "bad",
			},
			cause: event?.request?.id ?? null,
		};
	}
}

function* objects({ store }: Sources, contains: Contains, kind: string, isSearch: boolean): Generator<Candidate> {
	for (const { id, kind: stored, object: json } of store.newest(kind || null)) {
		if (stored === "event" || (kind === "" && !isSearch && inner.includes(stored))) continue;
		if (!contains(json)) continue;
		const object: Fields = { ...store.findAny(id) };
		const { created, status } = object;
		const about = aboutObject(object);
		yield {
			entry: {
				...{ kind: stored, id, created: Number(created ?? 0), summary: summaryOf(object), about },
				...{ note: noteOf(object), status: typeof status === "string" ? status : "" },
				outcome: object["last_payment_error"] ? "bad" : outcomeOf(String(status)),
			},
			cause: about,
		};
	}
}

interface Fields {
	[name: string]: unknown;
}

/** Returns the id of the payment that an object belongs to, or its own id. */
function aboutObject({ id, payment_intent }: Fields): string {
	return typeof payment_intent === "string" ? payment_intent : typeof id === "string" ? id : "";
}

function summaryOf({ amount, currency, name, email, description, card, type, id }: Fields): string {
	const total = typeof amount === "number" && typeof currency === "string" ? formatAmount(amount, currency) : "";
	const brand = isFields(card) && `${card["brand"]} ending in ${card["last4"]}`;
	const parts = [total, brand || type, name, email, description].filter((part) => typeof part === "string" && part);
	return parts.join(" · ") || String(id);
}

function noteOf({ last_payment_error: error, reason, failure_reason, failure_code }: Fields): string {
	const parts = isFields(error) ? [error["code"], error["decline_code"]] : [reason, failure_reason, failure_code];
	return parts.filter(Boolean).join(", ");
}

function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null;
}

/** Returns the outcome that an object's or a delivery's status stands for. */
export function outcomeOf(status: string): Outcome | "" {
	if (/^(succeeded|won|warning_closed|active|complete|available)$/.test(status)) return "good";
	if (/^(failed|lost|dropped)$/.test(status)) return "bad";
	return /^(pending|held|processing|needs_|under_|warning_|requires_)/.test(status) ? "waiting" : "";
}
