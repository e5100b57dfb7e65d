import { createContext as createReactContext } from "react";
import { createContext as createRouterContext } from "react-router";

/** This answer's script nonce, for the server's side of React Router … */
export const nonceContext = /* @__PURE__ */ createRouterContext<string>();

/** … and for React while it renders on the server. Browsers hide nonces from scripts, so it is undefined there. */
export const NonceContext = /* @__PURE__ */ createReactContext<string | undefined>(undefined);
