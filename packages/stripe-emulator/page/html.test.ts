import { expect, test } from "vitest";
import { Html, html } from "./html.ts";

test("a text stays a text, between tags and in attributes", () => {
	const text = `</p><script>alert("1")</script>' & more`;
	const escaped = "&#60;/p&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39; &#38; more";
	expect(html`<p title="${text}">${text}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`);
	expect(html`${["<", ["<"]]}`.markup).toBe("&#60;&#60;");
});

test("what looks like an entity is not one", () => {
	expect(html`${"&lt;"}`.markup).toBe("&#38;lt;");
});

test("markup goes in as it is, also many pieces of it", () => {
	const items = [1, 2].map((number) => html`<li>${number}</li>`);
	expect(html`<ul>${items}</ul>${new Html("<hr>")}`.markup).toBe("<ul><li>1</li><li>2</li></ul><hr>");
});
