import type { Config } from "@react-router/dev/config";

export default {
	ssr: true,
	// send the whole manifest with the first page: discovering a route later takes a request that can fail
	routeDiscovery: { mode: "initial" },
	// app/http/guard.server.ts accepts it from the shop's own forms, and refuses every other site
	allowedActionOrigins: ["null"],
	future: {
		v8_middleware: true,
		v8_passThroughRequests: true,
		v8_splitRouteModules: false,
		v8_trailingSlashAwareDataRequests: true,
		v8_viteEnvironmentApi: true,
	},
} satisfies Config;
