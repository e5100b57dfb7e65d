import { type RouteConfig, route } from "@react-router/dev/routes";

export default [route(":queries", "page.tsx")] satisfies RouteConfig;
