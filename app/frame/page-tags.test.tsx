import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { DocumentContext } from "./document-context.ts";
import { ProductData } from "./page-tags.tsx";

test("the text of a product cannot end its structured data", () => {
	const product = { id: "1", image: "/pictures/book-640.webp", priceCents: 299 };
	const texts = { title: "</script><script>alert(1)</script>", description: "<!--<script></script>" };
	const Page = createRoutesStub([{ id: "routes/product", path: "/", Component: ProductData }]);
	const html = renderToStaticMarkup(
		<DocumentContext value={{ nonce: "", url: "https://shop.test/product/1", pages: {} }}>
			<Page hydrationData={{ loaderData: { "routes/product": { product: { ...product, ...texts } } } }} />
		</DocumentContext>,
	);
	const [, json = ""] = /^<script[^>]*>([^<]*)<\/script>$/.exec(html) ?? [];
	expect(JSON.parse(json)).toMatchObject({ name: texts.title, description: texts.description });
});
