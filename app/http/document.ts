import { createContext as createReactContext } from "react";
import { createContext as createRouterContext } from "react-router";

/** The script nonce of this response, for loaders and the server's entry. */
export const nonceContext = /* @__PURE__ */ createRouterContext<string>();

/** The same nonce for components on the server. It is undefined in browsers, which hide nonces from scripts. */
export const NonceContext = /* @__PURE__ */ createReactContext<string | undefined>(undefined);

/** The canonical URL of this page, for components on the server: absolute, without a query. */
export const CanonicalUrlContext = /* @__PURE__ */ createReactContext("");
