import { expect, test } from "vitest";
import { Html, html } from "./html.ts";

test("text is escaped between tags and in attributes", () => {
	const text = `</p><script>alert("1")</script>' & more`;
	const escaped = "&#60;/p&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39; &#38; more";
	expect(html`<p title="${text}">${text}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`);
	expect(html`${["<", ["<"]]}`.markup).toBe("&#60;&#60;");
});

test("entities in text are escaped", () => {
	expect(html`${"&lt;"}`.markup).toBe("&#38;lt;");
});

test("Html values are inserted unescaped, including those in arrays", () => {
	const items = [1, 2].map((number) => html`<li>${number}</li>`);
	expect(html`<ul>${items}</ul>${new Html("<hr>")}`.markup).toBe("<ul><li>1</li><li>2</li></ul><hr>");
});
