import { z } from "zod";
import type { StripeEmulatorAccount } from "../account.ts";
import { drain, maxBodyBytes, readAtMost } from "../body.ts";
import { type EmulatorEnv, openAccount } from "../env.ts";
import { consolePage } from "../page/page.ts";
import type { ConsoleExtension } from "./console-extension.ts";
import { accountControlShape } from "./control.ts";
import type { AccountState } from "./state.ts";

/** Serves the console: `GET /` returns its page, `GET /state` returns the page's data as JSON, and `POST /controls`
 *  runs a control. A control sent as JSON returns its result as JSON; a form submission redirects to the page. Returns
 *  null for any other path. The caller must allow only loopback host names. */
export async function respondFromConsole<Env extends EmulatorEnv>(
	request: Request,
	path: string,
	env: Env,
	extension: ConsoleExtension<Env>,
): Promise<Response | null> {
	if (path === "/controls" && request.method === "POST") return respondToControl(request, env, extension);
	if (request.method !== "GET") return null;
	if (path === "/state") return Response.json({ ...(await readState(env)), ...extension.state?.() });
	if (path !== "/") return null;
	return consolePage(await readState(env), { ...extension, settings: extension.settings?.() ?? [] });
}

async function readState(env: EmulatorEnv): Promise<AccountState> {
	return JSON.parse(await openAccount(env).state());
}

async function respondToControl<Env extends EmulatorEnv>(
	request: Request,
	env: Env,
	extension: ConsoleExtension<Env>,
): Promise<Response> {
	// Another site must not drive a developer's emulator (CSRF).
	if (!isSameOrigin(request)) {
		await drain(request);
		return new Response("Forbidden", { status: 403 });
	}
	const body = await readAtMost(request, maxBodyBytes);
	if (!("text" in body)) return Response.json({ error: body.message }, { status: body.status });
	const isForm = request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded") ?? false;
	const control = parse(body.text, isForm);
	const prepared = prepare(control, extension);
	if ("error" in prepared) return Response.json({ error: prepared.error }, { status: 400 });
	try {
		const outcome = await prepared.run(env);
		if ("error" in outcome) return Response.json(outcome, { status: 400 });
		// redirects to the page, which is in the same folder
		if (isForm) return new Response(null, { status: 303, headers: { Location: new URL(".", request.url).pathname } });
		return new Response(outcome.result, { headers: { "Content-Type": "application/json" } });
	} catch (error) {
		return Response.json({ error: `${control["control"]}: ${String(error)}` }, { status: 500 });
	}
}

/** Returns whether a request is same-origin. Current browsers send Sec-Fetch-Site, and older browsers send Origin with
 *  every POST. A request without either header is not from a web page. */
function isSameOrigin({ headers, url }: Request): boolean {
	const site = headers.get("Sec-Fetch-Site");
	const origin = headers.get("Origin");
	return (site === null || site === "same-origin") && (origin === null || origin === new URL(url).origin);
}

const anyObject = z.record(z.string(), z.unknown());

/** Parses a form or a JSON object. Returns an empty object if the text is not a JSON object. */
function parse(text: string, isForm: boolean): Record<string, unknown> {
	// A form always sends all of its fields, so an empty field is treated as absent.
	if (isForm) return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
	try {
		return anyObject.parse(JSON.parse(text));
	} catch {
		return {};
	}
}

type Outcome = Awaited<ReturnType<StripeEmulatorAccount["control"]>>;

/** Returns a function that runs the control, or an error message if the control is invalid. */
function prepare<Env extends EmulatorEnv>(
	{ control: name, ...fields }: Record<string, unknown>,
	{ controls = [], afterControl }: ConsoleExtension<Env>,
): { run(env: Env): Promise<Outcome> } | { error: string } {
	const prepared = controls.find((control) => control.name === name)?.prepare(fields);
	if (prepared && "error" in prepared) return prepared;
	if (prepared) return { run: async (env) => ({ result: JSON.stringify((await prepared.run(env)) ?? null) }) };
	const { data: control, error } = accountControlShape.safeParse({ control: name, ...fields });
	if (error) return { error: z.prettifyError(error) };
	return {
		async run(env) {
			const outcome = await openAccount(env).control(control);
			if ("result" in outcome) await afterControl?.(control, env);
			return outcome;
		},
	};
}
