import { noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Call, Route } from "./routes.ts";
import { search } from "./search.ts";

export const chargeRoutes: readonly Route[] = [
	{
		name: "charges.search",
		method: "GET",
		path: /^\/v1\/charges\/search$/,
		browsers: "refused",
		returns: "charge",
		prepare: (call) => search(call, "charge", "/v1/charges/search"),
	},
	{
		name: "charges.retrieve",
		method: "GET",
		path: /^\/v1\/charges\/(\w+)$/,
		browsers: "refused",
		returns: "charge",
		prepare: retrieve,
	},
	{
		name: "charges.list",
		method: "GET",
		path: /^\/v1\/charges$/,
		browsers: "refused",
		returns: "charge",
		prepare: listAll,
	},
];

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => {
		const charge = store.find("charge", id);
		if (charge) return charge;
		throw noSuch("charge", id, "id");
	};
}

function listAll(call: Call) {
	const intent = call.params.text("payment_intent");
	const customer = call.params.text("customer");
	const listed = list(call, "charge", { equal: ["customer", "payment_intent"] });
	return () => {
		for (const [kind, id] of [
			["payment_intent", intent],
			["customer", customer],
		] as const) {
			if (id !== undefined && !call.store.find(kind, id)) throw noSuch(kind, id, kind);
		}
		return listed();
	};
}
