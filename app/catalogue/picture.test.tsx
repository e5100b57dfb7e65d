import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Picture } from "./picture.tsx";

test("an item without a picture has an empty shelf, and requests no file", () => {
	expect(renderToStaticMarkup(<Picture image="" sizes="104px" />)).toBe('<span class="shelf"></span>');
});
