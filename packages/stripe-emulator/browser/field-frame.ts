import type { FieldGroup } from "./field-group.ts";
import type { Change, FromFrame, Result, ToFrame } from "./messages.ts";
import { PageConnection } from "./page-line.ts";

/** Connects a frame's fields to the page. Sends their focus events and the changes that `describe` returns, and handles
 *  the messages of every frame. Passes other messages to `handle`. Messages to the page contain no card data. */
export function connectFields(
	fields: FieldGroup,
	describe: () => Change,
	handle: (message: ToFrame, reply: (response: object) => void) => void,
): PageConnection<ToFrame, FromFrame> {
	const lastSent = new Map<string, string>();
	let last = document.querySelector<HTMLElement>("input, select");

	const page = new PageConnection<ToFrame, FromFrame>(
		() => {
			lastSent.clear();
			page.send({ say: "ready" });
			fields.onChange();
		},
		// the embedding page is untrusted: it can trigger only these actions
		(message, reply) => {
			if (message.say === "focus") fields.focus();
			else if (message.say === "blur") fields.blur();
			else if (message.say === "clear") fields.clear();
			else if (message.say === "check") reply(check(fields));
			else handle(message, reply);
		},
	);

	/** Sends only changed state, so that the page cannot count key presses. */
	function sendIfChanged(message: FromFrame): void {
		const serialized = JSON.stringify(message);
		if (lastSent.get(message.say) === serialized) return;
		lastSent.set(message.say, serialized);
		page.send(message);
	}

	fields.onChange = () => {
		sendIfChanged({ say: "autofill", autofilled: fields.autofilled });
		sendIfChanged({ say: "change", event: describe() });
	};

	// restore the focused field after a dialog in the page closes, or after a click next to the fields
	window.addEventListener("focus", () => setTimeout(() => document.activeElement === document.body && last?.focus()));
	document.addEventListener("focusin", ({ target, relatedTarget }) => {
		if (target instanceof HTMLElement) last = target;
		if (!relatedTarget) page.send({ say: "focus" });
	});
	document.addEventListener("focusout", ({ relatedTarget }) => {
		if (!relatedTarget) page.send({ say: "blur" });
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape") page.send({ say: "escape" });
		if (event.key !== "Enter" || event.target instanceof HTMLSelectElement) return;
		// the sandbox blocks form submission in the frame, so the page submits its own form
		event.preventDefault();
		page.send({ say: "submit" });
	});
	return page;
}

/** Reports incomplete fields as problems, and returns the first problem. */
export function check(fields: FieldGroup): Result<null> {
	fields.leave();
	return fields.problem ? { error: fields.problem } : { done: null };
}
