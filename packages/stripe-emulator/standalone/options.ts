/** What the command line passes to the standalone Worker. */
export interface StandaloneOptions {
	/** The URLs of the webhook endpoints. */
	webhooks: string[];
	/** The types of the events to send to them; "*" for all. */
	events: string[];
	/** Whether requests with any host name are accepted. */
	allowsAnyHost: boolean;
}
