import { createContext } from "react";

/** The canonical URL of this page, for components on the server: absolute, without a query. */
export const CanonicalUrlContext = /* @__PURE__ */ createContext("");
