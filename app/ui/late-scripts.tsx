import { Children, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { Scripts } from "react-router";

/** An element that React Router's `<Scripts>` renders. */
type ScriptTag = ReactElement<{
	rel?: string;
	href?: string;
	type?: string;
	dangerouslySetInnerHTML?: { __html: string };
	children?: ReactNode;
}>;

/** An inline script that moves the content of the template before it into the body when the browser reports the first
 *  paint, or after 500 ms: a tab in the background is not painted. Moving an empty content does nothing. */
const start = `{
	const { content } = document.currentScript.previousElementSibling;
	const start = () => document.body.append(content);
	new PerformanceObserver(start).observe({ type: "paint", buffered: true });
	setTimeout(start, 500);
}`;

/** React Router's `<Scripts>`, whose files are requested after the first paint, so that they do not delay the
 *  stylesheet and the first picture. Its modulepreload links and its module script are in a template, where browsers
 *  neither load nor run them. `<Scripts>` has no prop for this, so it is called like a hook. If an upgrade of React
 *  Router renders other elements, tests/worker/headers.test.ts fails. */
export function LateScripts({ nonce }: { nonce: string | undefined }) {
	const tags = listTags(Scripts({ nonce }));
	const late = tags.filter(isLate).map(({ props }) =>
		// the Content-Security-Policy allows the shop's own files without a nonce
		props.rel
			? `<link rel="modulepreload" href="${props.href}">`
			: `<script type="module" async nonce="${nonce}">${props.dangerouslySetInnerHTML?.__html}</script>`,
	);
	return (
		<>
			{tags.filter((tag) => !isLate(tag))}
			{/* biome-ignore lint/security/noDangerouslySetInnerHtml: a string, because React would move links into the head */}
			<template dangerouslySetInnerHTML={{ __html: late.join("") }} />
			{/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, which React would escape */}
			<script nonce={nonce} dangerouslySetInnerHTML={{ __html: start }} />
		</>
	);
}

const isLate = ({ props }: ScriptTag) => props.rel === "modulepreload" || props.type === "module";

function listTags(node: ReactNode): ScriptTag[] {
	return Children.toArray(node).flatMap((child) => {
		if (!isValidElement<ScriptTag["props"]>(child)) return [];
		return child.type === Fragment ? listTags(child.props.children) : [child];
	});
}
