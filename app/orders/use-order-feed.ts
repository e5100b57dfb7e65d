import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { forgetCustomer } from "#app/auth/known-customer.ts";
import { closeCodes } from "./close-codes.ts";

/** Milliseconds: the first wait before connecting again, and the longest. */
const [shortest, longest] = [1000, 60_000];
/** Milliseconds between two pings, in which the answer to the one before must have come. */
const heartbeat = 25_000;

/** Revalidates the page whenever a customer's orders change, and whenever the connection is restored, because it may have
 *  missed a change. Without a connection the page still revalidates when it becomes visible (see useFollowCustomer).
 *  Guests have no feed. `loaded` is the page's data: after the session has ended, the feed stays closed until newer data
 *  has a customer, since the handshake would fail with 401. */
export function useOrderFeed(customerId: string | null, loaded: object): void {
	const { revalidate } = useRevalidator();
	const [endedWith, setEndedWith] = useState<object | null>(null);
	const followed = loaded === endedWith ? null : customerId;
	const onSessionEnd = useEffectEvent(() => {
		setEndedWith(loaded);
		forgetCustomer();
		void revalidate();
	});
	useEffect(() => {
		if (followed === null) return;
		const reload = () => void revalidate();
		return followFeed(reload, () => onSessionEnd());
	}, [followed, revalidate]);
}

/** Keeps a socket to the feed open until the returned function is called or the session ends. */
export function followFeed(reload: () => void, onSessionEnd: () => void): () => void {
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
			// of too many pages, the one that becomes visible next reconnects
			if (code === closeCodes.signedOut) {
				stop.abort();
				onSessionEnd();
			} else if (code !== closeCodes.tooMany) comeBack();
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
