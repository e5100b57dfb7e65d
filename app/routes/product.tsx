import { data, Link } from "react-router";
import { AddToBasket } from "#app/basket/add-to-basket.tsx";
import { findProduct, listProducts } from "#app/catalogue/catalogue.server.ts";
import { Picture } from "#app/catalogue/picture.tsx";
import { ProductRows } from "#app/catalogue/product-rows.tsx";
import { Stars } from "#app/catalogue/stars.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { PageNotFound } from "#app/ui/page-not-found.tsx";
import type { Route } from "./+types/product";

export const handle = { header: true, footerBar: true };

export const meta: Route.MetaFunction = ({ loaderData }) =>
	loaderData?.product
		? [
				{ title: `${loaderData.product.title} · Half Dozen` },
				{ name: "description", content: loaderData.product.description },
			]
		: [];

export async function loader({ params, context }: Route.LoaderArgs) {
	const product = await findProduct(context, params.id);
	if (product) return { product };
	return data({ product: null, products: await listProducts(context) }, { status: 404 });
}

export default function ProductDetail({ loaderData }: Route.ComponentProps) {
	const { product } = loaderData;
	if (!product) {
		return (
			<PageNotFound>
				<ProductRows products={loaderData.products} action={(product) => <AddToBasket product={product} />} />
			</PageNotFound>
		);
	}
	return (
		<div className="wrap page">
			<article className="product">
				<div className="shelf">
					<Picture image={product.image} sizes="(width < 800px) 92vw, 560px" eager />
				</div>
				<div>
					<h1>{product.title}</h1>
					<p className="meta">
						<span className="price">{formatMoney(product.priceCents)}</span>
						<Stars rating={product.rating} />
					</p>
					<p>{product.description}</p>
					<div className="buttons">
						<AddToBasket product={product} />
						<Link className="button" to="/">
							All six things
						</Link>
					</div>
				</div>
			</article>
		</div>
	);
}
