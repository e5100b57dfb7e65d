import { deliveryTerms } from "#app/brand.ts";
import type { CatalogueProduct } from "./product.ts";

export function Specifications({ specifications }: Pick<CatalogueProduct["details"], "specifications">) {
	return (
		<section className="details">
			<h2>Specifications</h2>
			<dl>
				{specifications.map(({ name, value }) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
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
