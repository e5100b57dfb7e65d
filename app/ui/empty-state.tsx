import type { ReactNode } from "react";
import { Link } from "react-router";
import { shopAll } from "#app/brand.ts";

/** Renders a picture of the products and a link to them in place of an empty list. `action` comes before the link. The
 *  picture is in basket.css, so that an empty list needs no data. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
	return (
		<div className="empty-state">
			<div className="stage" />
			<p>{children}</p>
			<div className="buttons">
				{action}
				<Link className={action ? "button" : "button main"} to="/">
					{shopAll}
				</Link>
			</div>
		</div>
	);
}
