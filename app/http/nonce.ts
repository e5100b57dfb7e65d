import { createContext as createReactContext } from "react";
import { createContext as createRouterContext } from "react-router";

/** The script nonce of this response, for loaders and the server's entry. */
export const nonceContext = /* @__PURE__ */ createRouterContext<string>();

/** The same for components on the server. Browsers hide nonces from scripts, so it is undefined there. */
export const NonceContext = /* @__PURE__ */ createReactContext<string | undefined>(undefined);
