import { createContext } from "react";

/** The server's values for the document that it renders. Empty in browsers, which hide nonces from scripts. */
export const DocumentContext = /* @__PURE__ */ createContext({
	/** The script nonce. */
	nonce: "",
	/** The canonical URL of the page: absolute, without a query. */
	url: "",
	/** The code of every page (see ui/page-code.ts). */
	pages: {},
});
