import { use } from "react";
import { useRouteLoaderData } from "react-router";
import { bannerDescription, currency, pageTitle, shopName } from "#app/brand.ts";
import { largestFile, pictureName } from "#app/catalogue/picture.tsx";
import type { CatalogueProduct } from "#app/catalogue/product.ts";
import { toDecimal } from "#app/ui/money.ts";
import { DocumentContext } from "./document-context.ts";

// The tags that browsers, search engines and link previews read. Only the server renders them all. The browser renders
// the title and the description. Without a canonical URL, browsers share the address of the page.

/** Removes the tags that describe the first page. Call it after a client navigation. */
export function removeFirstTags(): void {
	for (const tag of document.querySelectorAll(".first")) tag.remove();
}

/** Renders a page's title and description, and on the server its canonical URL and Open Graph tags. */
export function PageTags({ title, description }: { title: string; description: string | undefined }) {
	return (
		<>
			<title>{pageTitle(title)}</title>
			<meta name="description" content={description} />
			{import.meta.env.SSR && <ShareTags title={title} description={description} />}
		</>
	);
}

function ShareTags({ title, description }: { title: string; description: string | undefined }) {
	const { url } = use(DocumentContext);
	const product = useProduct();
	const name = product ? pictureName(product.image) : "shop";
	return (
		<>
			<link rel="canonical" href={url} className="first" />
			<meta property="og:type" content="website" className="first" />
			<meta property="og:site_name" content={shopName} className="first" />
			<meta property="og:title" content={title} className="first" />
			<meta property="og:description" content={description} className="first" />
			<meta property="og:url" content={url} className="first" />
			<meta property="og:image" content={new URL(`/pictures/share-${name}.jpg`, url).href} className="first" />
			<meta property="og:image:width" content="1200" className="first" />
			<meta property="og:image:height" content="630" className="first" />
			<meta property="og:image:alt" content={product?.title ?? bannerDescription} className="first" />
			<meta name="twitter:card" content="summary_large_image" />
		</>
	);
}

/** Renders a product page's data for search engines, as schema.org JSON-LD; nothing on other pages. Contains no
 *  aggregateRating: the stars are the shop's own rating, not an average of reviews. */
export function ProductData() {
	const { nonce, url } = use(DocumentContext);
	const product = useProduct();
	if (!product) return null;
	const data = {
		"@context": "https://schema.org",
		"@type": "Product",
		sku: product.id,
		name: product.title,
		description: product.description,
		image: new URL(largestFile(product.image), url).href,
		offers: {
			"@type": "Offer",
			url,
			price: toDecimal(product.priceCents),
			priceCurrency: currency.toUpperCase(),
			availability: `https://schema.org/${product.status === "sold_out" ? "SoldOut" : "InStock"}`,
		},
	};
	// "</script>" in a title would end the script
	const json = JSON.stringify(data).replaceAll("<", "\\u003c");
	return (
		// biome-ignore lint/security/noDangerouslySetInnerHtml: React would escape the quotes; "<" is escaped above
		<script type="application/ld+json" className="first" nonce={nonce} dangerouslySetInnerHTML={{ __html: json }} />
	);
}

function useProduct(): CatalogueProduct | undefined {
	return useRouteLoaderData<{ product?: CatalogueProduct }>("routes/product")?.product;
}
