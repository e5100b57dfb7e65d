import { z } from "zod";
import { type ShopFaults, shopFaultShape } from "../../../local/shop-faults.ts";
import type { StripeEmulatorAccount } from "../account.ts";
import { drain, readAtMost } from "../body.ts";
import { controlPage } from "../page/page.ts";
import { accountControlShape } from "./control.ts";
import type { EmulatorState } from "./state.ts";

/** Bytes. */
const MAX_CONTROL = 64 * 1024;

const milliseconds = z.coerce.number().int().min(1).max(600_000);
const timeoutsShape = z
	.object({
		request: milliseconds,
		response: milliseconds,
		cron: milliseconds,
		stripeCall: milliseconds,
		feed: milliseconds,
		rateLimit: milliseconds,
		hashQueue: milliseconds,
	})
	.partial();
export type Timeouts = z.output<typeof timeoutsShape>;

/** What may be done to the emulator, and to the shop through it. */
export const controlShape = z.discriminatedUnion("control", [
	...accountControlShape.options,
	/** Has one of the shop's own outside calls fail. */
	shopFaultShape.extend({ control: z.literal("shop_fault") }),
	/** How long the shop waits, in milliseconds: see its Timeouts. */
	z.object({ control: z.literal("timeouts"), timeouts: timeoutsShape }),
	/** Runs the shop's cron now. */
	z.object({ control: z.literal("reconcile") }),
]);
export type Control = z.input<typeof controlShape>;

/** What the controls reach beyond the account. */
export interface Controlled {
	account: DurableObjectStub<StripeEmulatorAccount>;
	played: Played;
	/** Runs the shop's cron, and rejects when that fails. */
	reconcile(): Promise<void>;
}

/** What is played with the shop itself. */
export interface Played {
	shopFaults: ShopFaults;
	/** How long the shop waits where that was set; null is as long as it does by itself. */
	timeouts: Timeouts | null;
	/** Seconds that the account's clock, and so the shop's, is ahead; undefined until the account has been asked. */
	clockAdvance: number | undefined;
}

/** Answers `GET /` with a page for people, `GET /state` with what it shows as JSON, and `POST /controls` with what
 *  came of a control: as JSON for JSON, and by leading a form back to the page. Null for any other path. The caller has
 *  made sure that the request is for this machine. */
export async function answerControl(request: Request, path: string, controlled: Controlled): Promise<Response | null> {
	if (path === "/controls" && request.method === "POST") return control(request, controlled);
	if (request.method !== "GET") return null;
	if (path === "/state") return Response.json(await readState(controlled));
	return path === "/" ? controlPage(await readState(controlled)) : null;
}

async function control(request: Request, controlled: Controlled): Promise<Response> {
	// Another site must not drive a developer's emulator (CSRF).
	if (!isSameOrigin(request)) {
		await drain(request);
		return new Response("Forbidden", { status: 403 });
	}
	const body = await readAtMost(request, MAX_CONTROL);
	if (!("text" in body)) return Response.json({ error: body.message }, { status: body.status });
	const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded") ?? false;
	const asked = controlShape.safeParse(parse(body.text, isForm));
	if (!asked.success) return Response.json({ error: z.prettifyError(asked.error) }, { status: 400 });
	let result: string;
	try {
		result = await carryOut(asked.data, controlled);
	} catch (error) {
		// the shop's cron may well fail while a fault is played with it
		return Response.json({ error: `${asked.data.control}: ${String(error)}` }, { status: 500 });
	}
	if (isForm) return new Response(null, { status: 303, headers: { Location: "/stripe-emulator/" } });
	return new Response(result, { headers: { "Content-Type": "application/json" } });
}

/** Browsers of today send Sec-Fetch-Site, and older ones Origin with each POST. A request with neither is not from a
 *  page. */
function isSameOrigin({ headers, url }: Request): boolean {
	const site = headers.get("Sec-Fetch-Site");
	const origin = headers.get("Origin");
	return (site === null || site === "same-origin") && (origin === null || origin === new URL(url).origin);
}

function parse(text: string, isForm: boolean): unknown {
	// A form has no way to leave a field out: an empty one is not given.
	if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

async function carryOut(asked: z.output<typeof controlShape>, controlled: Controlled): Promise<string> {
	const { account, played, reconcile } = controlled;
	if (asked.control === "reconcile") {
		await reconcile();
		return "null";
	}
	if (asked.control === "shop_fault") {
		const { control: _, ...fault } = asked;
		played.shopFaults.plan([...played.shopFaults.planned, fault]);
		return "null";
	}
	if (asked.control === "timeouts") {
		played.timeouts = asked.timeouts;
		return "null";
	}
	if (asked.control === "calm") {
		played.shopFaults.plan([]);
		played.timeouts = null;
	}
	const result = await account.control(asked);
	if (asked.control === "clock") played.clockAdvance = await account.clockAdvance();
	return result;
}

async function readState({ account, played }: Controlled): Promise<EmulatorState> {
	return { ...JSON.parse(await account.state()), shopFaults: played.shopFaults.planned, timeouts: played.timeouts };
}
