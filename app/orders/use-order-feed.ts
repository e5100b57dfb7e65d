import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { closeCodes } from "./close-codes.ts";

/** Milliseconds: the first wait before connecting again, and the longest. */
const [shortest, longest] = [1000, 60_000];
/** Milliseconds between two pings, in which the answer to the one before must have come. */
const heartbeat = 25_000;

/** Loads the page's data anew whenever the shop says that a customer's orders have changed, and whenever the connection
 *  comes back, since nobody knows what it missed. While there is none the page still catches up when it is looked at
 *  (see useFollowCustomer). Guests have no feed. */
export function useOrderFeed(customerId: string | null): void {
	const { revalidate } = useRevalidator();
	useEffect(() => {
		if (customerId !== null) return followFeed(() => void revalidate());
	}, [customerId, revalidate]);
}

/** Keeps a socket to the feed open until the function it returns is called. */
export function followFeed(reload: () => void): () => void {
	let socket: WebSocket | null = null;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;

	function connect() {
		if (socket) return;
		clearTimeout(timer);
		const opened = new WebSocket(`${location.origin.replace("http", "ws")}/orders/feed`);
		socket = opened;
		let isAlive = true;
		opened.onopen = () => {
			failures = 0;
			reload();
			beat();
		};
		opened.onmessage = ({ data }) => {
			isAlive = true;
			if (data === "changed") reload();
		};
		opened.onclose = ({ code }) => {
			leave();
			// a sign-out shows at once; of too many pages, whichever is looked at next comes back
			if (code === closeCodes.signedOut) reload();
			if (code !== closeCodes.tooMany) comeBack();
		};
		function beat() {
			timer = setTimeout(() => {
				if (!isAlive) {
					leave();
					comeBack();
					return;
				}
				isAlive = false;
				opened.send("ping");
				beat();
			}, heartbeat);
		}
	}

	/** Everybody at another moment: a deployment cuts all connections at once. */
	function comeBack() {
		const wait = Math.min(longest, shortest * 2 ** failures++);
		timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
	}

	function leave() {
		clearTimeout(timer);
		const left = socket;
		socket = null;
		if (!left) return;
		left.onmessage = null;
		left.onclose = null;
		// one that is still connecting would complain of it in the console
		if (left.readyState === WebSocket.CONNECTING) left.onopen = () => left.close();
		else left.close();
	}

	const stop = new AbortController();
	const options = { signal: stop.signal };
	// a page with an open socket cannot be kept for the way back
	addEventListener("pagehide", leave, options);
	addEventListener("pageshow", connect, options);
	addEventListener("offline", leave, options);
	addEventListener("online", connect, options);
	const onVisible = () => document.visibilityState === "visible" && connect();
	document.addEventListener("visibilitychange", onVisible, options);
	connect();
	return () => {
		stop.abort();
		leave();
	};
}
