import { z } from "zod";
import type { StripeEmulatorAccount } from "../account.ts";
import { accountControlShape } from "./control.ts";
import { controlPage } from "./page.ts";
import { type ShopFaults, shopFaultShape } from "./shop-faults.ts";
import type { EmulatorState } from "./state.ts";

const milliseconds = z.coerce.number().int().min(1).max(60_000);

/** What may be done to the emulator, and to the shop through it. */
export const controlShape = z.discriminatedUnion("control", [
	...accountControlShape.options,
	/** Has one of the shop's own outside calls fail. */
	shopFaultShape.extend({ control: z.literal("shop_fault") }),
	/** Milliseconds that the shop waits: for everything in one request, and for one call to Stripe. */
	z.object({ control: z.literal("limits"), request: milliseconds, stripeCall: milliseconds }),
	/** Runs the shop's cron now. */
	z.object({ control: z.literal("reconcile") }),
]);
export type Control = z.input<typeof controlShape>;

/** What the controls reach beyond the account. */
export interface Controlled {
	account: DurableObjectStub<StripeEmulatorAccount>;
	shopFaults: ShopFaults;
	/** Runs the shop's cron, and rejects when that fails. */
	reconcile(): Promise<void>;
	/** Has the shop wait as long as this, or as long as it does by itself. */
	setLimits(limits: { request: number; stripeCall: number } | null): void;
	/** Has the shop ask for the time anew. */
	clockMoved(): void;
}

/** Answers `GET /` with a page for people, `GET /state` with what it shows as JSON, and `POST /controls` with what
 *  came of a control: as JSON for JSON, and by leading a form back to the page. Null for any other path. The caller has
 *  made sure that the request is for this machine. */
export async function answerControl(request: Request, path: string, controlled: Controlled): Promise<Response | null> {
	if (path === "/controls" && request.method === "POST") return control(request, controlled);
	if (request.method !== "GET") return null;
	if (path === "/state")
		return Response.json(await readState(controlled), { headers: { "Cache-Control": "no-store" } });
	return path === "/" ? controlPage(await readState(controlled)) : null;
}

async function control(request: Request, controlled: Controlled): Promise<Response> {
	// A page of another site must not play with the account of whoever looks at it.
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null && site !== "same-origin") return new Response("Forbidden", { status: 403 });
	const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded");
	const asked = controlShape.safeParse(await readBody(request, isForm ?? false));
	if (!asked.success) return Response.json({ error: z.prettifyError(asked.error) }, { status: 400 });
	const result = await carryOut(asked.data, controlled);
	if (isForm) return new Response(null, { status: 303, headers: { Location: "/stripe-emulator/" } });
	return new Response(result, { headers: { "Content-Type": "application/json", "Cache-Control": "no-store" } });
}

async function readBody(request: Request, isForm: boolean): Promise<unknown> {
	const text = await request.text();
	// A form has no way to leave a field out: an empty one is not given.
	if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

async function carryOut(asked: z.output<typeof controlShape>, controlled: Controlled): Promise<string> {
	const { account, shopFaults, reconcile, setLimits, clockMoved } = controlled;
	if (asked.control === "reconcile") {
		await reconcile();
		return "null";
	}
	if (asked.control === "shop_fault") {
		const { control: _, ...fault } = asked;
		shopFaults.plan([...shopFaults.planned, fault]);
		return "null";
	}
	if (asked.control === "limits") {
		setLimits({ request: asked.request, stripeCall: asked.stripeCall });
		return "null";
	}
	if (asked.control === "calm") {
		shopFaults.plan([]);
		setLimits(null);
	}
	const result = await account.control(asked);
	if (asked.control === "clock") clockMoved();
	return result;
}

async function readState({ account, shopFaults }: Controlled): Promise<EmulatorState> {
	return { ...JSON.parse(await account.state()), shopFaults: shopFaults.planned };
}
