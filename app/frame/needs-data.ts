import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Returns React Router's default, except that the page keeps its data when only the hash changes or is removed. */
export function needsData({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
	return defaultShouldRevalidate && (currentUrl.hash === nextUrl.hash || currentUrl.pathname !== nextUrl.pathname);
}
