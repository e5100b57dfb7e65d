import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** Shown in place of an empty list, with a picture of the products and a link to them. basket.css has the picture, so
 *  that an empty list needs no data. */
export function EmptyState({ children }: { children: ReactNode }) {
	return (
		<div className="empty-state">
			<div className="stage" />
			<p>{children}</p>
			<Link className="button main" to="/">
				Shop all six things
			</Link>
		</div>
	);
}
