import { data, Link } from "react-router";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { readCatalogue } from "#app/catalogue/catalogue.server.ts";
import { Picture } from "#app/catalogue/picture.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import { PageNotFound } from "#app/shell/page-not-found.tsx";
import { PageTags } from "#app/shell/page-tags.tsx";
import { Mark } from "#app/ui/mark.tsx";
import { formatMoney } from "#app/ui/money.ts";
import type { Route } from "./+types/product";

export async function loader({ params, context }: Route.LoaderArgs) {
	const { products, descriptions } = await readCatalogue(context);
	const place = products.findIndex(({ id }) => id === params.id);
	return data({ products, place, description: descriptions[place] }, { status: place < 0 ? 404 : 200 });
}

export default function ProductDetail({ loaderData }: Route.ComponentProps) {
	const { products, place, description } = loaderData;
	const product = products[place];
	if (!product) return <PageNotFound products={products} />;
	// the width of the column without its padding
	const sizes = "(width < 45em) 88vw, (width < 70em) 48vw, 540px";
	return (
		<div className="wrap page">
			<PageTags title={`${product.title} · Half Dozen`} description={description} />
			<article className="product">
				<Picture image={product.image} sizes={sizes} eager />
				<div className="about">
					<Mark lit={place} />
					<h1>{product.title}</h1>
					<p className="meta">
						<span className="price">{formatMoney(product.priceCents)}</span>
						<Stars rating={product.rating} />
					</p>
					<p>{description}</p>
					<div className="buttons">
						<AddToBasket product={product} />
						<Link className="button" to="/" prefetch="intent" viewTransition>
							All six things
						</Link>
					</div>
				</div>
				<Picture image={product.image.replace("-640.", "-2-640.")} sizes={sizes} />
			</article>
			<nav className="others" aria-labelledby="others">
				<h2 id="others">The other five</h2>
				<ul>
					{products
						.filter((other) => other !== product)
						.map((other) => (
							<li key={other.id}>
								<Link to={`/product/${other.id}`} prefetch="intent" viewTransition>
									<Picture image={other.image} sizes="(width < 45em) 44vw, 220px" />
									{other.title}
									<span className="price">{formatMoney(other.priceCents)}</span>
								</Link>
							</li>
						))}
				</ul>
			</nav>
		</div>
	);
}
