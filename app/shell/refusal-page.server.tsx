import { renderToReadableStream } from "react-dom/server.node";
import { backToShop, footerNotice, logo, pageTitle, slogan } from "#app/brand.ts";
import { errorResponse } from "#app/http/error-response.server.ts";
import type { Rejection } from "#app/http/guard.server.ts";
import applyTheme from "#app/theme/apply-theme.ts?script";
import { Mark } from "#app/ui/mark.tsx";
import { Document } from "./document.tsx";
import { explanations } from "./failed-request.ts";

/** The headings of the pages, by status. Any other status has the heading "Something went wrong". */
const headings = new Map([
	[403, "We can't accept that"],
	[405, "That doesn't work here"],
	[408, "That took too long"],
	[413, "That's too large"],
	[415, "We can't read that"],
	[426, "That doesn't work here"],
	[429, "Too many requests"],
	[503, explanations.failing.title],
]);

/** Returns the response to a request that is rejected, or that React Router does not handle in time: a page if the
 *  request accepts HTML, JSON otherwise. `nonce` is the response's. */
export async function refuse(request: Request, nonce: string, rejection: Rejection): Promise<Response> {
	const { status, code, message, headers = {} } = rejection;
	const isPage = request.headers.get("Accept")?.includes("text/html");
	const response = isPage ? await refusalPage(request, nonce, rejection) : errorResponse(status, code, message);
	for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
	return response;
}

/** Renders a page in the shop's layout without a script of React. The mark above its heading shows five of six dots, as
 *  on error-page.tsx. The header has no greeting and the footer bar no theme buttons, because both need scripts. */
async function refusalPage({ method }: Request, nonce: string, { status, message }: Rejection): Promise<Response> {
	const isRetryable = (status === 503 || status === 429) && method === "GET";
	const heading = headings.get(status) ?? explanations.broken.title;
	const body = await renderToReadableStream(
		<Document nonce={nonce} script={applyTheme}>
			<title>{pageTitle(heading)}</title>
			<div id="shop">
				<header className="bar">
					<div className="wrap">
						<a className="logo" href="/">
							<Mark />
							<span>{logo}</span>
						</a>
						<nav aria-label="Shop">
							<a className="two who" href="/orders">
								<small>Returns</small>
								<span>&amp; Orders</span>
							</a>
						</nav>
					</div>
				</header>
				<main className="wrap page">
					<div className="sheet empty-state">
						<Mark lit={5} />
						<h1>{heading}</h1>
						<p>{message}</p>
						<div className="buttons">
							{isRetryable && (
								// biome-ignore lint/a11y/useValidAnchor: links to the current URL
								<a className="button main" href="">
									Try again
								</a>
							)}
							<a className={isRetryable ? "button" : "button main"} href="/">
								{backToShop}
							</a>
						</div>
					</div>
				</main>
				<footer className="foot">
					<div className="wrap">
						<a href="/">Home</a>
						<span>{`${slogan} ${footerNotice}`}</span>
					</div>
				</footer>
			</div>
		</Document>,
	);
	return new Response(body, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
