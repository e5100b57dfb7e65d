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
	/** The endpoint's id, or the URL of an endpoint of the host. */
	id: string;
	/** The signing secret. */
	secret: string;
}

/** Returns the endpoints of the host with their defaults. If `find` throws, returns an endpoint whose attempts fail with
 *  that error. */
export function hostEndpoints(find: () => readonly WebhookEndpoint[], secret: string): Endpoint[] {
	try {
		return find().map((own) => ({
			id: own.url,
			url: own.url,
			events: own.events ?? ["*"],
			secret,
			fetch: (request, init) => own.fetch(request, init),
		}));
	} catch (error) {
		const url = "http://localhost/";
		return [{ id: url, url, events: ["*"], secret, fetch: () => Promise.reject(error) }];
	}
}
