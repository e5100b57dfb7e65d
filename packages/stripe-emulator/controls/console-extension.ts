import { z } from "zod";
import type { Html } from "../page/html.ts";
import type { AccountControl } from "./control.ts";

/** A host's additions to the console page, `POST /controls` and `GET /state`. */
export interface ConsoleExtension<Env> {
	/** Links in the page's header. */
	links?: readonly { href: string; text: string }[];
	controls?: readonly HostControl<Env>[];
	/** Called after each of the account's own controls, for example to synchronize the host's clock. */
	afterControl?(control: AccountControl, env: Env): void | Promise<void>;
	/** Returns fields to add to the state. */
	state?(): Record<string, unknown>;
	/** Returns the host's current settings, for the page's "Set now" section. */
	settings?(): Setting[];
	buttons?: readonly ButtonGroup[];
	/** Forms created with `form` from page/fields.ts. */
	forms?: readonly Html[];
}

/** An entry in the page's "Set now" section. */
export interface Setting {
	name: string;
	values: (Html | string)[];
	/** Whether the setting differs from its default. */
	changed: boolean;
}

/** Buttons under a heading, each of which sends one control. */
export interface ButtonGroup {
	/** Unique in the page. */
	id: string;
	heading: string;
	buttons: readonly { label: string; control: Readonly<Record<string, string | number | boolean>> }[];
}

/** A host's control, sent as `{ control: name, …fields }`. */
interface HostControl<Env> {
	name: string;
	/** Validates the fields. Returns a function that runs the control, or an error message if the fields are
	 *  invalid. */
	prepare(fields: Record<string, unknown>): { run(env: Env): Promise<unknown> } | { error: string };
}

/** Creates a control that validates its fields with a Zod schema. The result of `run` is returned as JSON. */
export function hostControl<Env, Shape extends z.ZodType>(
	name: string,
	shape: Shape,
	run: (fields: z.output<Shape>, env: Env) => unknown,
): HostControl<Env> {
	return {
		name,
		prepare(fields) {
			const parsed = shape.safeParse(fields);
			if (!parsed.success) return { error: z.prettifyError(parsed.error) };
			return { run: async (env) => run(parsed.data, env) };
		},
	};
}
