import type { z } from "zod";
import { problem } from "./problem.ts";

/** The JSON body of a request in the shape that `schema` describes, or the refusal to answer with: 415 when it does
 *  not call itself JSON, 400 when it is not, or is of another shape. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T | Response> {
	const type = request.headers.get("Content-Type") ?? "";
	if (!/^application\/json\b/i.test(type)) return problem(415, "not_json", "Send application/json.");
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

/** The form of a request, or the status to refuse it with, 415 or 400: React Router's and the platform's readers throw on anything
 *  that is not a form. */
export async function readForm(request: Request): Promise<FormData | { status: number }> {
	const type = request.headers.get("Content-Type") ?? "";
	if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return { status: 415 };
	try {
		return await request.formData();
	} catch {
		return { status: 400 };
	}
}
