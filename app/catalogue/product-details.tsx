import { Link } from "#app/ui/link.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { type Details, type Product, shortName } from "./product.ts";

interface ProductDetailsProps {
	product: Product;
	details: Details;
	/** The product to compare with. */
	other: Product | undefined;
	otherDetails: Details | undefined;
}

/** Renders the specifications, beside those of a comparable product if there is one. */
export function ProductDetails({ product, details, other, otherDetails }: ProductDetailsProps) {
	const { specifications } = details;
	const isCompared = other && otherDetails;
	return (
		<section className="details">
			<h2>{isCompared ? "Comparison" : "Specifications"}</h2>
			<table>
				{isCompared && (
					<thead>
						<tr>
							<td />
							<th scope="col">This one</th>
							<th scope="col">
								<Link to={`/product/${other.id}`} prefetch>
									{shortName(other.title)}
								</Link>
							</th>
						</tr>
					</thead>
				)}
				<tbody>
					{isCompared && (
						<tr>
							<th scope="row">Price</th>
							<td>{formatMoney(product.priceCents)}</td>
							<td>{formatMoney(other.priceCents)}</td>
						</tr>
					)}
					{specifications.map(({ name, value }) => (
						<tr key={name}>
							<th scope="row">{name}</th>
							<td>{value}</td>
							{isCompared && <td>{otherDetails.specifications.find((its) => its.name === name)?.value}</td>}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

/** Renders the contents of the box, and the terms of delivery and returns. */
export function InTheBox({ box }: Pick<Details, "box">) {
	return (
		<section className="box">
			<h2>In the box</h2>
			<ul>
				{box.map((part) => (
					<li key={part}>{part}</li>
				))}
			</ul>
			<h2>Delivery and returns</h2>
			<p>Delivery is free. This shop is a demo: nothing is shipped, so there is nothing to return.</p>
		</section>
	);
}
