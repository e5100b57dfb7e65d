import type { ComponentType } from "react";
import { FailedRequest } from "./failed-request.ts";

/** As much of React Router's manifest of routes as matters here. */
interface RouteEntry {
	id: string;
	path?: string;
	index?: boolean;
	hasLoader: boolean;
	/** The file of its code, and those which that one imports. */
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
/** The files that the browser has or is fetching: pages share some. */
const files = new Map<string, Promise<void>>();
/** Milliseconds. */
const fileTimeout = 10_000;

/** Imports the code of pages in place of React Router, which reloads the document when an import fails, and so would lose
 *  the basket. Every page gets a component at once; its code is imported when the browser is idle or back online, and by
 *  the navigation that needs it (`loadPage`). Call it before the router is created. */
export function deferPages(): void {
	// in development Vite replaces the modules of routes; React may render what calls this more than once
	if (import.meta.env.DEV || files.size > 0) return;
	const modules = window.__reactRouterRouteModules;
	for (const route of Object.values(window.__reactRouterManifest.routes)) {
		if (route.id in modules) {
			for (const file of filesOf(route)) files.set(file, Promise.resolve());
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
	const importAll = () => {
		// one that fails is imported again when the browser is back online, or by the navigation that needs it
		for (const id of missing.keys()) void loadPage(id).catch(() => {});
	};
	// after the pictures, which the shopper waits for
	const whenIdle = () =>
		"requestIdleCallback" in window ? requestIdleCallback(importAll) : setTimeout(importAll, 200);
	if (document.readyState === "complete") whenIdle();
	else addEventListener("load", whenIdle);
	addEventListener("online", importAll);
}

/** Imports the code of a page, unless it has been. Rejects when that fails; with "outdated" when only a reload can help,
 *  because a newer build of the shop no longer has the code. */
export async function loadPage(id: string): Promise<void> {
	const route = missing.get(id);
	if (!route) return;
	// an import that fails is never repeated by some browsers: it begins when its files are in the browser's cache
	await Promise.all(filesOf(route).map(fetchOnce));
	try {
		const code: { default: Page } = await import(/* @vite-ignore */ route.module);
		pages.set(id, code.default);
		missing.delete(id);
	} catch (error) {
		throw new FailedRequest("outdated", { cause: error });
	}
}

const filesOf = ({ module, imports }: RouteEntry) => [module, ...imports];

function fetchOnce(file: string): Promise<void> {
	const fetching =
		files.get(file) ??
		fetchFile(file).catch((error: unknown) => {
			files.delete(file);
			throw error;
		});
	files.set(file, fetching);
	return fetching;
}

async function fetchFile(file: string): Promise<void> {
	const response = await fetch(file, { signal: AbortSignal.timeout(fileTimeout) });
	if (!response.ok) throw new FailedRequest(response.status === 404 ? "outdated" : "failed");
	await response.arrayBuffer();
}

/** Returns the route with this pattern, such as "product/:id". */
export function findRoute(pattern: string): RouteEntry | undefined {
	const routes = Object.values(window.__reactRouterManifest.routes);
	return routes.find(({ path, index }) => (index ? "/" : path) === pattern);
}
