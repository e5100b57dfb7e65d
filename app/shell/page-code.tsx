import type { ComponentType } from "react";
import { FailedRequest } from "./failed-request.ts";

/** The fields of a React Router manifest entry that are used here. */
interface RouteEntry {
	id: string;
	path?: string;
	index?: boolean;
	hasLoader: boolean;
	/** The URL of the route's code; `imports` are the URLs of the files that it imports. */
	module: string;
	imports: string[];
	hasDefaultExport: boolean;
}

type Page = ComponentType<object>;

declare global {
	interface Window {
		__reactRouterManifest: { routes: Record<string, RouteEntry> };
		__reactRouterRouteModules: Record<string, { default?: Page }>;
	}
}

/** The pages whose code has not been imported yet, by route id. */
const missing = new Map<string, RouteEntry>();
const pages = new Map<string, Page>();
/** URLs of the files that have been fetched. Pages share some files. */
const fetched = new Set<string>();
/** Timeout of fetching one file, in milliseconds. */
const fileTimeout = 10_000;

/** Imports the code of pages in place of React Router, which reloads the document when an import fails and would lose
 *  the basket. Every page gets a placeholder component. `loadPage` imports its code when the browser is idle or back
 *  online, or when a navigation needs it. Call it before the router is created. */
export function deferPages(): void {
	// in development, Vite replaces the route modules; React may render the caller more than once
	if (import.meta.env.DEV || fetched.size > 0) return;
	const modules = window.__reactRouterRouteModules;
	for (const route of Object.values(window.__reactRouterManifest.routes)) {
		if (route.id in modules) {
			for (const file of filesOf(route)) fetched.add(file);
			continue;
		}
		modules[route.id] = {};
		if (!route.hasDefaultExport) continue;
		missing.set(route.id, route);
		modules[route.id] = {
			default(props) {
				const Page = pages.get(route.id);
				return Page && <Page {...props} />;
			},
		};
	}
	// after the load event, so that the code does not delay the pictures
	const whenIdle = () =>
		"requestIdleCallback" in window ? requestIdleCallback(importAll) : setTimeout(importAll, 200);
	if (document.readyState === "complete") whenIdle();
	else addEventListener("load", whenIdle);
	addEventListener("online", importAll);
}

async function importAll(): Promise<void> {
	// a failed import is retried when the browser is back online, or by the navigation that needs it
	for (const id of missing.keys()) await loadPage(id).catch(() => {});
}

/** Imports the code of a page once. Rejects if the import fails: with "outdated" if a newer build of the shop no longer
 *  contains the code, so that only a reload helps. */
export async function loadPage(id: string): Promise<void> {
	const route = missing.get(id);
	if (!route) return;
	// some browsers never retry a failed import, so first fetch its files into the HTTP cache
	await Promise.all(filesOf(route).map(fetchFile));
	try {
		const code: { default: Page } = await import(/* @vite-ignore */ route.module);
		pages.set(id, code.default);
		missing.delete(id);
	} catch (error) {
		throw new FailedRequest("outdated", { cause: error });
	}
}

const filesOf = ({ module, imports }: RouteEntry) => [module, ...imports];

async function fetchFile(file: string): Promise<void> {
	if (fetched.has(file)) return;
	const response = await fetch(file, { signal: AbortSignal.timeout(fileTimeout) });
	if (!response.ok) throw new FailedRequest(response.status === 404 ? "outdated" : "failed");
	await response.arrayBuffer();
	fetched.add(file);
}

/** Returns the route with this pattern, such as "product/:id". */
export function findRoute(pattern: string): RouteEntry | undefined {
	const routes = Object.values(window.__reactRouterManifest.routes);
	return routes.find(({ path, index }) => (index ? "/" : path) === pattern);
}
