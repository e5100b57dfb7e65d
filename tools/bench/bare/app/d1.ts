import { createContext } from "react-router";

export const d1Context = createContext<D1Database>();
