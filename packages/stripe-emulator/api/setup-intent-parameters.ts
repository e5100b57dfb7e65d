import type { NewSetupIntent, SetupDetails } from "../objects/setup-intent.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import { readRedirect, readTypes, refuseOldTypes } from "./payment-intent-parameters.ts";
import { type RequestedMethod, readMethod } from "./payment-method-parameters.ts";

/** Readers for the parameters of the SetupIntent endpoints. They throw an ApiError that names the invalid parameter. */

const detailNames = ["customer", "description", "metadata"];
const methodNames = ["payment_method", "payment_method_data"];
const sessionNames = ["return_url", "use_stripe_sdk"];

type TakePart = (id: string) => CardPart;

export interface SetupUpdate {
	details: SetupDetails;
	method: RequestedMethod | undefined;
}

export interface SetupCreate extends SetupUpdate {
	intent: NewSetupIntent;
	confirm: boolean;
	session: ReturnType<typeof readRedirect>;
}

export function readSetupCreate(params: Parameters, takePart: TakePart): SetupCreate {
	refuseOldTypes(params);
	const choices = ["allowed_payment_method_types", "automatic_payment_methods", "confirm", "usage"];
	params.only(...detailNames, ...choices, ...methodNames, ...sessionNames);
	const confirm = params.boolean("confirm") ?? false;
	if (!confirm && params.has("return_url")) {
		throw invalidRequest("You can only set return_url with confirm=true.", { param: "return_url" });
	}
	const usage = params.choice("usage", ["off_session", "on_session"]) ?? "off_session";
	return {
		intent: { ...readTypes(params), usage },
		details: readDetails(params),
		method: readMethod(params, takePart),
		confirm,
		session: readRedirect(params),
	};
}

export function readSetupUpdate(params: Parameters, takePart: TakePart): SetupUpdate {
	refuseOldTypes(params);
	params.only(...detailNames, ...methodNames);
	return { details: readDetails(params), method: readMethod(params, takePart) };
}

export function readSetupConfirm(params: Parameters, takePart: TakePart) {
	refuseOldTypes(params);
	params.only(...methodNames, ...sessionNames);
	return { method: readMethod(params, takePart), session: readRedirect(params) };
}

export function readSetupCancel(params: Parameters) {
	params.only("cancellation_reason");
	return params.choice("cancellation_reason", ["abandoned", "duplicate", "requested_by_customer"]) ?? null;
}

function readDetails(params: Parameters): SetupDetails {
	return {
		customer: params.text("customer"),
		description: params.clearable("description"),
		metadata: params.metadata("metadata"),
	};
}
