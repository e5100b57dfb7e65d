import { type ComponentType, lazy } from "react";
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

interface PageModule {
	default: ComponentType<object>;
	/** Exported by the payment page (see resume-purchase.ts). */
	handle?: { startPurchases(): void };
}

declare global {
	interface Window {
		__reactRouterManifest: { routes: Record<string, RouteEntry> };
		__reactRouterRouteModules: Record<string, Partial<PageModule>>;
	}
}

/** The pages whose code has not been imported yet, by route id. */
const missing = new Map<string, RouteEntry>();

/** Imports the code of pages in place of React Router, which reloads the document when an import fails and would lose
 *  the basket. Every page gets a placeholder component. `loadPage` imports its code soon after the page has loaded,
 *  when the browser is back online, or when a navigation needs it. Call it before the router is created. */
export function deferPages(): void {
	// in development, Vite replaces the route modules; React may render the caller more than once
	if (import.meta.env.DEV || missing.size > 0) return;
	const modules = window.__reactRouterRouteModules;
	for (const route of Object.values(window.__reactRouterManifest.routes)) {
		if (route.id in modules) continue;
		modules[route.id] = route.hasDefaultExport ? { default: lazy(() => importCode(route)) } : {};
		if (route.hasDefaultExport) missing.set(route.id, route);
	}
	// after the load event, so that the code does not delay the pictures
	const importSoon = () => setTimeout(importAll, 200);
	if (document.readyState === "complete") importSoon();
	else addEventListener("load", importSoon);
	addEventListener("online", importAll);
}

async function importAll(): Promise<void> {
	// a failed import is retried when the browser is back online, or by the navigation that needs it
	for (const id of missing.keys()) await loadPage(id).catch(() => {});
}

/** Imports the code of a page once. Rejects if the import fails: with "outdated" if a newer build of the shop no longer
 *  contains the code. */
export async function loadPage(id: string): Promise<void> {
	const route = missing.get(id);
	if (!route) return;
	// the error of an import does not say why it failed
	await importCode(route).catch(async () => {
		await Promise.all([route.module, ...route.imports].map(checkFile));
		await importCode(route);
	});
	missing.delete(id);
}

/** Imports the code of the page with this pattern. Returns what it exports. */
export async function importPage(pattern: string): Promise<Partial<PageModule>> {
	const route = findRoute(pattern);
	return route ? importCode(route) : {};
}

function importCode({ module }: RouteEntry): Promise<PageModule> {
	return import(/* @vite-ignore */ module);
}

async function checkFile(file: string): Promise<void> {
	const { status } = await fetch(file);
	if (status === 404) throw new FailedRequest("outdated");
}

/** Returns the route with this pattern, such as "product/:id". */
export function findRoute(pattern: string): RouteEntry | undefined {
	const routes = Object.values(window.__reactRouterManifest.routes);
	return routes.find(({ path, index }) => (index ? "/" : path) === pattern);
}
