import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Mark } from "./mark.tsx";

test("Mark highlights the same dot for products at the same place among each six", () => {
	for (const index of [0, 1, 5]) {
		const dot = `<i class="mark" data-lit="${index}"></i>`;
		expect([index, index + 6, index + 24].map((lit) => renderToStaticMarkup(<Mark lit={lit} />))).toEqual([
			dot,
			dot,
			dot,
		]);
	}
	expect(renderToStaticMarkup(<Mark />)).toBe('<i class="mark"></i>');
});
