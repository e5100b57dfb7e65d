/** Time from the pointer or focus event to the request, in milliseconds. */
const delay = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Returns the event handlers of a link that prefetch its page's data when a click is likely. `path` has no query.
 *  Pointer events include touches. */
export function prefetchOnIntent(path: string) {
	const cancel = () => clearTimeout(timer);
	const schedule = () => {
		cancel();
		timer = setTimeout(prefetch, delay, path);
	};
	return {
		onPointerEnter: schedule,
		onFocus: schedule,
		onPointerLeave: cancel,
		onBlur: cancel,
		// the click sends the request itself
		onClick: cancel,
	};
}

/** Requests the data at the URL that React Router requests after a click, so that the browser's HTTP cache serves the
 *  click. React Router's `<link rel="prefetch">` is blocked in Firefox by `default-src 'none'`, and not supported in
 *  Safari. */
function prefetch(path: string): void {
	fetch(`${path.replace(/\/$/, "/_")}.data`, { headers: { Purpose: "prefetch" }, priority: "low" })
		// an unread body may be canceled, and then it is not cached
		.then((response) => response.text())
		.catch(() => {});
}
