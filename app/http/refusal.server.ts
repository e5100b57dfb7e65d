import stylesheet from "#app/app.css?url";
import { problem } from "./problem.ts";

/** A refusal from before React Router: a page for whoever is looking at one, JSON for programs. `message` is ours and
 *  holds nothing of the request. */
export function refuse(
	request: Request,
	status: number,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): Response {
	const looking = request.headers.get("Accept")?.includes("text/html");
	const refusal = looking ? refusalPage(status, message) : problem(status, code, message);
	for (const [name, value] of Object.entries(headers)) refusal.headers.set(name, value);
	return refusal;
}

function refusalPage(status: number, message: string): Response {
	const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This did not work · Half Dozen</title>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main class="wrap page">
<h1>This did not work</h1>
<p class="sheet">${message} <a href="/">Back to the six things</a></p>
</main>
</body>
</html>
`;
	return new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
