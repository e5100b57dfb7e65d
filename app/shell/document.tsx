import { createContext, type ReactNode } from "react";
import stylesheet from "#app/app.css?url";
import { barColors } from "#app/brand.ts";

/** The server's values for the document that it renders. Empty in browsers, which hide nonces from scripts. */
export const DocumentContext = /* @__PURE__ */ createContext({
	/** The script nonce. */
	nonce: "",
	/** The canonical URL of the page: absolute, without a query. */
	url: "",
	/** The path that was requested; undefined for a path that matches no route, whose page is the same for all. */
	path: undefined as string | undefined,
	/** The code of every page (see page-code.ts). */
	pages: {},
});

interface DocumentProps {
	nonce: string;
	/** Runs before the first paint. */
	script: string;
	/** More tags of the head. */
	head?: ReactNode;
	children: ReactNode;
}

/** Renders the document of every page, on the server. */
export function Document({ nonce, script, head, children }: DocumentProps) {
	return (
		<html lang="en">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				{/* apply-theme.ts sets both to the chosen theme's color */}
				<meta name="theme-color" content={barColors.light} media="(prefers-color-scheme: light)" />
				<meta name="theme-color" content={barColors.dark} media="(prefers-color-scheme: dark)" />
				{/* for Safari and crawlers, which do not support SVG icons */}
				<link rel="icon" href="/favicon.ico" sizes="32x32" />
				<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
				<link rel="apple-touch-icon" href="/apple-touch-icon.png" />
				{/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, which React would escape */}
				<script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />
				{head}
				<link rel="stylesheet" href={stylesheet} precedence="app" />
			</head>
			<body>{children}</body>
		</html>
	);
}
