import { createContext } from "react";

/** The server's values for the document that it renders. Empty in browsers, which hide nonces from scripts. */
export const DocumentContext = /* @__PURE__ */ createContext({
	/** The script nonce. */
	nonce: "",
	/** The canonical URL of the page: absolute, without a query. */
	url: "",
	/** The path that was requested; undefined for a path that matches no route, whose page is the same for all. */
	path: undefined as string | undefined,
	/** The code of every page (see page-code.ts). */
	pages: {},
});
