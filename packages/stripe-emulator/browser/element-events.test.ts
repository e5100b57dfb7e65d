import { expect, test } from "vitest";
import { ElementEvents } from "./element-events.ts";

class Element extends ElementEvents {
	focus = () => this.emit("focus");
}

test("listeners receive events until they are removed, and `once` listeners only the first", () => {
	const heard: unknown[] = [];
	const element = new Element();
	const removed = () => heard.push("removed");
	element.on("focus", removed).once("focus", removed).off("focus", removed);
	element.once("focus", (event) => heard.push(event)).on("focus", () => heard.push("on"));
	element.focus();
	element.focus();
	element.off("focus");
	element.focus();
	expect(heard).toEqual([{ elementType: "card" }, "on", "on"]);
});
