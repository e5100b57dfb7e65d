/** The merchant's webhook endpoint. */
export interface WebhookEndpoint {
	url: string;
	/** Sends a webhook, and rejects if there is no response. */
	fetch(request: Request, init: { signal: AbortSignal }): Promise<Response>;
	/** The types of the events to send; all if absent. */
	events?: readonly string[];
}

/** An enabled webhook endpoint of the account. */
export interface Endpoint extends Required<WebhookEndpoint> {
	/** The endpoint's id, or "host" for the endpoint of the host. */
	id: string;
	/** The signing secret. */
	secret: string;
}

/** Returns the endpoint of the host with its defaults. If `find` throws, returns an endpoint whose attempts fail with
 *  that error. */
export function hostEndpoint(find: () => WebhookEndpoint | null, secret: string): Endpoint[] {
	try {
		const found = find();
		if (!found) return [];
		const { url, events = ["*"] } = found;
		return [{ id: "host", url, events, secret, fetch: (request, init) => found.fetch(request, init) }];
	} catch (error) {
		return [{ id: "host", url: "http://localhost/", events: ["*"], secret, fetch: () => Promise.reject(error) }];
	}
}
