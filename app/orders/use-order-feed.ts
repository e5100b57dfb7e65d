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
		if (customerId !== null) return follow(() => void revalidate());
	}, [customerId, revalidate]);
}

/** Keeps a socket open until the function it returns is called. */
function follow(reload: () => void): () => void {
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
			if (socket !== opened) return;
			leave();
			// a sign-out shows at once; too many pages is for whichever of them is looked at next
			if (code === closeCodes.signedOut) reload();
			if (code !== closeCodes.tooMany) again();
		};
		function beat() {
			timer = setTimeout(() => {
				if (!isAlive) {
					leave();
					again();
					return;
				}
				isAlive = false;
				opened.send("ping");
				beat();
			}, heartbeat);
		}
	}

	/** Everybody comes back at another moment: a deployment cuts all connections at once. */
	function again() {
		const wait = Math.min(longest, shortest * 2 ** failures++);
		timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
	}

	function leave() {
		clearTimeout(timer);
		const left = socket;
		socket = null;
		// one that is still connecting would complain of it in the console
		if (left?.readyState === WebSocket.CONNECTING) left.onopen = () => left.close();
		else left?.close();
	}

	const onVisible = () => {
		if (document.visibilityState === "visible") connect();
	};
	connect();
	// a page with an open socket cannot be kept for the way back
	addEventListener("pagehide", leave);
	addEventListener("pageshow", connect);
	addEventListener("offline", leave);
	addEventListener("online", connect);
	document.addEventListener("visibilitychange", onVisible);
	return () => {
		removeEventListener("pagehide", leave);
		removeEventListener("pageshow", connect);
		removeEventListener("offline", leave);
		removeEventListener("online", connect);
		document.removeEventListener("visibilitychange", onVisible);
		leave();
	};
}
