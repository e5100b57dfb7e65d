import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { tryApi } from "#app/ui/try-api.ts";
import { signedOut } from "./close-codes.ts";

/** Interval between two polls while a payment is being checked, in milliseconds. */
const pollInterval = 3000;
/** Initial and maximum delay before reconnecting, in milliseconds. */
const [minDelay, maxDelay] = [1000, 60_000];
/** Interval between two pings, in milliseconds. Without a message in between, the connection is considered lost. */
const heartbeat = 25_000;

/** The page's loader data. A guest, whose `customerId` is null, has no feed. */
type Loaded = { customerId: string | null; checking: boolean };

/** Revalidates the page of orders while `checking`, when the customer's orders change, and after each connect, because
 *  a change may have been missed. Without a connection, the page still revalidates when it becomes visible (see
 *  useFollowCustomer). After the session has ended, reconnecting would fail with 401, so the feed stays closed until
 *  newer loader data has a customer. Calls `forgetCustomer` when it has ended. */
export function useOrderFeed(loaded: Loaded, forgetCustomer: () => void): void {
	const { revalidate, state } = useRevalidator();
	const { checking } = loaded;
	useEffect(() => {
		if (!checking || state !== "idle") return;
		const timer = setTimeout(() => void revalidate(), pollInterval);
		return () => clearTimeout(timer);
	}, [checking, state, revalidate]);

	const [endedWith, setEndedWith] = useState<Loaded | null>(null);
	const followed = loaded === endedWith ? null : loaded.customerId;
	const onSessionEnd = useEffectEvent(() => {
		setEndedWith(loaded);
		forgetCustomer();
		void revalidate();
	});
	useEffect(() => {
		if (followed === null) return;
		return followFeed(
			() => void revalidate(),
			() => onSessionEnd(),
		);
	}, [followed, revalidate]);
}

/** Keeps a WebSocket to the feed open until the session ends or the returned function is called. */
export function followFeed(reload: () => void, onSessionEnd: () => void): () => void {
	let socket: WebSocket | null = null;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let failures = 0;

	function connect() {
		if (socket) return;
		clearTimeout(timer);
		const opened = tryApi(() => new WebSocket(`${location.origin.replace("http", "ws")}/orders/feed`));
		if (!opened) return;
		socket = opened;
		let isAlive = true;
		opened.onopen = () => {
			reload();
			beat();
		};
		opened.onmessage = ({ data }) => {
			isAlive = true;
			if (data === "changed") reload();
		};
		opened.onclose = ({ code }) => {
			disconnect();
			if (code !== signedOut) return reconnect();
			stop.abort();
			onSessionEnd();
		};
		function beat() {
			timer = setTimeout(() => {
				if (!isAlive) {
					disconnect();
					reconnect();
					return;
				}
				// a connection that is accepted and then closed is a failure, too
				failures = 0;
				isAlive = false;
				opened?.send("ping");
				beat();
			}, heartbeat);
		}
	}

	/** Reconnects with exponential backoff and jitter, because a deployment closes all connections simultaneously. */
	function reconnect() {
		const delay = Math.min(maxDelay, minDelay * 2 ** failures++);
		timer = setTimeout(connect, delay * (0.5 + Math.random() / 2));
	}

	function disconnect() {
		clearTimeout(timer);
		const closed = socket;
		socket = null;
		if (!closed) return;
		closed.onmessage = null;
		closed.onclose = null;
		// closing a socket that is still connecting logs an error in the console
		if (closed.readyState === WebSocket.CONNECTING) closed.onopen = () => closed.close();
		else closed.close();
	}

	const stop = new AbortController();
	const options = { signal: stop.signal };
	// a page with an open socket is not eligible for the back/forward cache
	addEventListener("pagehide", disconnect, options);
	addEventListener("pageshow", connect, options);
	addEventListener("offline", disconnect, options);
	addEventListener("online", connect, options);
	const onVisible = () => document.visibilityState === "visible" && connect();
	document.addEventListener("visibilitychange", onVisible, options);
	connect();
	return () => {
		stop.abort();
		disconnect();
	};
}
