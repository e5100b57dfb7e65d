import { Link } from "react-router";
import { deliveryTerms } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { type CatalogueProduct, shortName } from "./product.ts";

interface ProductDetailsProps {
	product: CatalogueProduct;
	/** The product to compare with. */
	other: CatalogueProduct | undefined;
}

/** Renders the specifications, beside those of a comparable product if there is one. */
export function ProductDetails({ product, other }: ProductDetailsProps) {
	return (
		<section className="details">
			<h2>{other ? "Comparison" : "Specifications"}</h2>
			<table>
				{other && (
					<thead>
						<tr>
							<td />
							<th scope="col">This one</th>
							<th scope="col">
								<Link to={`/product/${other.id}`}>{shortName(other.title)}</Link>
							</th>
						</tr>
					</thead>
				)}
				<tbody>
					{other && (
						<tr>
							<th scope="row">Price</th>
							<td>{formatMoney(product.priceCents)}</td>
							<td>{formatMoney(other.priceCents)}</td>
						</tr>
					)}
					{product.details.specifications.map(({ name, value }) => (
						<tr key={name}>
							<th scope="row">{name}</th>
							<td>{value}</td>
							{other && <td>{other.details.specifications.find((its) => its.name === name)?.value}</td>}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

/** Renders the contents of the box, and the terms of delivery and returns. */
export function InTheBox({ box }: { box: string[] }) {
	return (
		<section className="box">
			<h2>In the box</h2>
			<ul>
				{box.map((part) => (
					<li key={part}>{part}</li>
				))}
			</ul>
			<h2>Delivery and returns</h2>
			<p>{deliveryTerms}</p>
		</section>
	);
}
