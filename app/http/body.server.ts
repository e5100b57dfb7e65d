import type { ZodMiniType } from "zod/mini";
import { problem } from "./error-response.ts";

// What a body calls itself is the guard's business; here is what it really is.

/** The JSON body of a request in the shape that `schema` describes, or the refusal to answer with, 400, when it is not
 *  JSON or of another shape. */
export async function readJson<T>(request: Request, schema: ZodMiniType<T>): Promise<T | Response> {
	let body: unknown;
	try {
		body = await request.json();
	} catch {
		return problem(400, "invalid_json", "The body is not valid JSON.");
	}
	const parsed = schema.safeParse(body);
	return parsed.success
		? parsed.data
		: problem(400, "invalid_request", "The body does not have the shape this address takes.");
}

/** The form of a request, or null when it breaks off or is none: the platform's reader throws then. */
export async function readForm(request: Request): Promise<FormData | null> {
	try {
		return await request.formData();
	} catch {
		return null;
	}
}
