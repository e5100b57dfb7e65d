import { data } from "react-router";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { Gallery } from "#app/catalogue/gallery.tsx";
import { Picture, pictureName } from "#app/catalogue/picture.tsx";
import stylesheet from "#app/catalogue/product.css?url";
import { InTheBox, ProductDetails } from "#app/catalogue/product-details.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import { requestContext } from "#app/request-context.server.ts";
import { PageNotFound } from "#app/shell/page-not-found.tsx";
import { PageTags } from "#app/shell/page-tags.tsx";
import { Link } from "#app/ui/link.tsx";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/product";

const styles = pageStyles(stylesheet);

export async function loader({ params, context }: Route.LoaderArgs) {
	const { products, descriptions, details } = await readCatalogue(context.get(requestContext));
	const place = products.findIndex(({ id }) => id === params.id);
	const other = products.findIndex(({ id }) => id === details[place]?.compareWith);
	return data(
		{ products, place, description: descriptions[place], details: details[place], comparedDetails: details[other] },
		{ status: place < 0 ? 404 : 200 },
	);
}

export default function ProductDetail({ loaderData }: Route.ComponentProps) {
	const { products, place, description, details, comparedDetails } = loaderData;
	const product = products[place];
	if (!product || !details) return <PageNotFound products={products} />;
	return (
		<div className={`page world ${pictureName(product.image)}`}>
			<PageTags title={`${product.title} · Half Dozen`} description={description} />
			{styles}
			<div className="wrap">
				<article className="product">
					{/* the key resets the gallery when another product's page replaces this one */}
					<Gallery key={product.id} pictures={details.pictures} title={product.title} />
					<div className="about">
						<Mark lit={place} />
						<h1>{product.title}</h1>
						<p className="meta">
							<span className="price">{formatMoney(product.priceCents)}</span>
							<Stars rating={product.rating} />
						</p>
						<p>{description}</p>
						<div className="buttons buy">
							<AddToBasket product={product} />
							<Link className="button" to="/" prefetch viewTransition>
								All six things
							</Link>
						</div>
						<InTheBox box={details.box} />
					</div>
					<ProductDetails
						product={product}
						details={details}
						other={products.find(({ id }) => id === details.compareWith)}
						otherDetails={comparedDetails}
					/>
				</article>
				<nav className="others" aria-labelledby="others">
					<h2 id="others">The rest of the six</h2>
					<ul>
						{products
							.filter((other) => other !== product)
							.map((other) => (
								<li key={other.id}>
									<Link to={`/product/${other.id}`} prefetch viewTransition>
										<Picture image={other.image} sizes="(width < 45em) calc(50vw - 42px), 220px" />
										<span>{other.title}</span>
										<span className="price">{formatMoney(other.priceCents)}</span>
									</Link>
								</li>
							))}
					</ul>
				</nav>
			</div>
		</div>
	);
}
