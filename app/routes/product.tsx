import { data, Link } from "react-router";
import { AddToBasket } from "#app/basket/add-button.tsx";
import { allProducts, otherProducts } from "#app/brand.ts";
import { readCatalogue, toListed } from "#app/catalogue/catalogue.server.ts";
import { Gallery } from "#app/catalogue/gallery.tsx";
import { Picture, pictureName } from "#app/catalogue/picture.tsx";
import stylesheet from "#app/catalogue/product.css?url";
import { priceOrSoldOut } from "#app/catalogue/product.ts";
import { InTheBox, Specifications } from "#app/catalogue/product-details.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import { PageNotFound } from "#app/failures/page-not-found.tsx";
import { needsData } from "#app/frame/needs-data.ts";
import { PageTags } from "#app/frame/page-tags.tsx";
import { requestContext } from "#app/http/request-context.server.ts";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/product";

const styles = pageStyles(stylesheet);

export const shouldRevalidate = needsData;

export async function loader({ params, context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	const product = catalogue.find(({ id }) => id === params.id);
	return data({ products: catalogue.map(toListed), product }, { status: product ? 200 : 404 });
}

export default function ProductDetail({ loaderData }: Route.ComponentProps) {
	const { products, product } = loaderData;
	const index = products.findIndex(({ id }) => id === product?.id);
	const listed = products[index];
	if (!product || !listed) return <PageNotFound products={products} />;
	const { description, details } = product;
	return (
		<div className={`page world ${pictureName(product.image)}`}>
			<PageTags title={product.title} description={description} />
			{styles}
			<div className="wrap">
				<article className="product">
					<header>
						<Mark lit={index} />
						<h1>{product.title}</h1>
						<p className="meta">
							<span className="price">{formatMoney(product.priceCents)}</span>
							<Stars rating={product.rating} />
							{product.status === "sold_out" && <strong>Sold out</strong>}
						</p>
					</header>
					{/* the key resets the gallery when another product's page replaces this one */}
					<Gallery key={product.id} title={product.title} pictures={details.pictures} />
					<div className="about">
						{details.chosen && (
							<p className="chosen">
								<small>Why we chose it</small>
								<span>{details.chosen}</span>
							</p>
						)}
						<div className="buttons buy">
							<AddToBasket product={listed} />
							<Link className="button" to="/">
								{allProducts}
							</Link>
						</div>
						<p>{description}</p>
						<InTheBox box={details.box} />
					</div>
					<Specifications specifications={details.specifications} />
				</article>
				{products.length > 1 && (
					<nav className="others" aria-labelledby="others">
						<h2 id="others">{otherProducts}</h2>
						<ul>
							{products
								.filter((each) => each !== listed)
								.map((other) => (
									<li key={other.id}>
										<Link to={`/product/${other.id}`}>
											<Picture image={other.image} sizes="(width < 45em) calc(50vw - 42px), 220px" />
											<span>{other.title}</span>
											<span className="price">{priceOrSoldOut(other)}</span>
										</Link>
									</li>
								))}
						</ul>
					</nav>
				)}
			</div>
		</div>
	);
}
