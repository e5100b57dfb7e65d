import { list } from "./list.ts";
import type { Call, Route } from "./routes.ts";

export const chargeRoutes: readonly Route[] = [
	{ name: "charges.retrieve", browsers: false, prepare: retrieve },
	{ name: "charges.list", browsers: false, prepare: listAll },
];

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => store.get("charge", id, "id");
}

function listAll(call: Call) {
	return list(call, "charge", { equal: ["payment_intent"] });
}
