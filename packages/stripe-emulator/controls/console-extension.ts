import { z } from "zod";
import type { Html } from "../page/html.ts";
import type { AccountControl } from "./control.ts";

/** What a host adds to the console: to the page, to POST controls and to GET state. */
export interface ConsoleExtension<Env> {
	/** Links in the page's header. */
	links?: readonly { href: string; text: string }[];
	controls?: readonly HostControl<Env>[];
	/** Called after each of the account's own controls, so that the host can follow its clock, for example. */
	afterControl?(control: AccountControl, env: Env): void | Promise<void>;
	/** Returns fields to add to the state. */
	state?(): Record<string, unknown>;
	/** Returns what the host's controls have set, for "Set now". */
	settings?(): Setting[];
	buttons?: readonly ButtonGroup[];
	/** Forms made by `form` of page/fields.ts. */
	forms?: readonly Html[];
}

/** A line of "Set now" on the page. */
export interface Setting {
	name: string;
	values: (Html | string)[];
	/** Whether it differs from its default. */
	changed: boolean;
}

/** Buttons under a heading, each of which sends one control. */
export interface ButtonGroup {
	/** Unique in the page. */
	id: string;
	heading: string;
	buttons: readonly { label: string; control: Readonly<Record<string, string | number | boolean>> }[];
}

/** A control of the host's, sent as `{ control: name, …fields }`. */
export interface HostControl<Env> {
	name: string;
	/** Checks the fields. Returns how to run the control, or the message of what is wrong with them. */
	prepare(fields: Record<string, unknown>): { run(env: Env): Promise<unknown> } | { error: string };
}

/** Returns a control that checks its fields with a Zod schema. What `run` returns is the response, as JSON. */
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
