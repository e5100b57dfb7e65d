import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { freePort } from "../support/listen.ts";
import { type Browser, driverTimeout, type Engine, findElement, type Target, type Window } from "./engine.ts";

const element = "element-6066-11e4-a52e-4f735466cecf";
const isMac = process.platform === "darwin";
const driver = isMac ? "/usr/bin/safaridriver" : "/usr/bin/WebKitWebDriver";
const display = "/usr/bin/Xvfb";
/** WebKitGTK's browser for tests. */
const findBrowser = () => globSync("/usr/lib/*/webkit*gtk-*/MiniBrowser")[0];

type Call = <Result>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<Result>;

/** WebKitGTK, or Safari on macOS, driven by W3C WebDriver. */
export const webkit: Engine = {
	name: isMac ? "safari" : "webkit",
	packages: ["webkit2gtk-driver", "xvfb"],
	missing() {
		const missing = (isMac ? [driver] : [driver, display]).filter((path) => !existsSync(path));
		return isMac || findBrowser() ? missing : [...missing, "MiniBrowser of WebKitGTK"];
	},
	async start({ refusesCookies }) {
		if (isMac && refusesCookies) throw new Error("Safari's driver cannot refuse cookies.");
		const { call, end } = await startDriver();
		const args = [
			"--automation",
			...(refusesCookies ? ["--cookies-policy=never", "--enable-html5-local-storage=false"] : []),
		];
		const capabilities = {
			...(isMac ? { browserName: "safari" } : { "webkitgtk:browserOptions": { binary: findBrowser(), args } }),
			// do not wait for a page to load: Back would wait forever for a page from the back-forward cache
			...{ acceptInsecureCerts: true, pageLoadStrategy: "none", unhandledPromptBehavior: "accept" },
		};
		try {
			const created = await call<{ sessionId: string }>("POST", "/session", {
				capabilities: { alwaysMatch: capabilities },
			});
			const session: Call = (method, path, body) => call(method, `/session/${created.sessionId}${path}`, body);
			return sessionOf(session, end);
		} catch (error) {
			end();
			throw error;
		}
	},
	stop: async () => {},
};

/** Starts the driver, and a display for it. */
async function startDriver() {
	const ended = new AbortController();
	const options = { signal: ended.signal, killSignal: "SIGKILL" } as const;
	const environment: NodeJS.ProcessEnv = { ...process.env };
	if (!isMac) {
		const args = ["-displayfd", "3", "-screen", "0", "1280x1024x24"];
		const server = spawn(display, args, { ...options, stdio: ["ignore", "ignore", "ignore", "pipe"] });
		server.on("error", () => {});
		const [number] = await once(server.stdio[3] ?? server, "data", { signal: AbortSignal.timeout(driverTimeout) });
		Object.assign(environment, {
			DISPLAY: `:${String(number).trim()}`,
			...{ GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
		});
	}
	const port = await freePort();
	const server = spawn(driver, ["-p", String(port)], { ...options, env: environment, stdio: "ignore" });
	server.on("error", () => {});

	const call: Call = async (method, path, body) => {
		const signal = AbortSignal.timeout(driverTimeout);
		const init = { method, signal, ...(body && { body: JSON.stringify(body) }) };
		const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
		const { value } = await response.json<{ value: never }>();
		if (response.ok) return value;
		throw new Error(JSON.stringify(value));
	};
	const until = performance.now() + driverTimeout;
	while (!(await call("GET", "/status").catch(() => false))) {
		if (performance.now() > until) throw new Error("The driver does not start.");
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return { call, end: () => ended.abort() };
}

function sessionOf(call: Call, end: () => void): Browser {
	const errors: string[] = [];
	let current = "";
	let isFirst = true;

	async function openWindow(): Promise<Window> {
		const open = () => call<{ handle: string }>("POST", "/window/new", { type: "window" });
		const handle = isFirst ? await call<string>("GET", "/window") : (await open()).handle;
		if (isFirst) current = handle;
		isFirst = false;
		const select = async () => {
			if (current !== handle) await call("POST", "/window", { handle });
			current = handle;
		};
		async function run<Result>(source: string, ...args: unknown[]): Promise<Result> {
			return call("POST", "/execute/sync", { script: `return (${source}).apply(null, arguments)`, args });
		}
		/** Calls `use` with the path of the element, if there is one. */
		async function withElement({ selector, name = "", frame }: Target, use: (path: string) => Promise<unknown>) {
			await select();
			if (frame) {
				const found = await run<object | null>(String(findElement), frame, "");
				if (!found) return false;
				await call("POST", "/frame", { id: found });
			}
			try {
				const found = await run<Record<string, string> | null>(String(findElement), selector, name);
				// the driver would click before a smooth scroll has ended
				const reveal = (element: Element) => element.scrollIntoView({ block: "center", behavior: "instant" });
				if (found) await run(String(reveal), found);
				if (found) await use(`/element/${found[element]}`);
				return found !== null;
			} finally {
				if (frame) await call("POST", "/frame", { id: null });
			}
		}
		return {
			async open(url) {
				await select();
				return call("POST", "/url", { url });
			},
			async evaluate(fn, ...args) {
				await select();
				errors.push(...(await run<string[]>(String(takeErrors))));
				return run(String(fn), ...args);
			},
			click: (target, times) =>
				withElement(target, async (path) => {
					await call("POST", `${path}/click`, {});
					// the first click may have replaced the element
					for (let click = 1; click < times; click++) await call("POST", `${path}/click`, {}).catch(() => {});
				}),
			type: (target, text) =>
				withElement(target, async (path) => {
					// a field of a frame can be focused only by a click
					await call("POST", `${path}/click`, {});
					await call("POST", `${path}/clear`, {});
					await call("POST", `${path}/value`, { text: text.replace("\n", "\ue007") });
				}),
			async narrow() {
				await select();
				return call("POST", "/window/rect", { width: 390, height: 800 });
			},
			async acceptAlert() {
				await select();
				const text = await call<string>("GET", "/alert/text").catch(() => null);
				if (text !== null) await call("POST", "/alert/accept", {});
				return text;
			},
		};
	}

	async function close(): Promise<void> {
		await call("DELETE", "").catch(() => {});
		end();
	}
	return { errors, openWindow, close };
}

/** Returns the errors of the page since the last call. The driver does not report them, so the first call in a document
 *  starts to collect them. */
function takeErrors(): string[] {
	const page: { errors?: string[] } = window as object;
	if (!page.errors) {
		const errors: string[] = [];
		page.errors = errors;
		addEventListener(
			"error",
			({ message, target }) => {
				errors.push(message ?? `${target instanceof Element ? target.outerHTML : "A resource"} failed to load`);
			},
			true,
		);
		addEventListener("unhandledrejection", ({ reason }: PromiseRejectionEvent) =>
			errors.push(`Unhandled rejection: ${reason} ${reason?.stack}`),
		);
		const log = console.error;
		console.error = (...values: unknown[]) => {
			errors.push(values.join(" "));
			log(...values);
		};
		const report = (reports: Report[]) => errors.push(...reports.map(({ body }) => JSON.stringify(body)));
		// buffered: also the violations so far
		new ReportingObserver(report, { types: ["csp-violation"], buffered: true }).observe();
	}
	return page.errors.splice(0);
}
