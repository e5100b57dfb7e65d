import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** Shown in place of an empty list, with a picture of the products, a link to them and, before it,
 *  `action`. basket.css has the picture, so
 *  that an empty list needs no data. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
	return (
		<div className="empty-state">
			<div className="stage" />
			<p>{children}</p>
			<div className="buttons">
				{action}
				<Link className={action ? "button" : "button main"} to="/">
					Shop all six things
				</Link>
			</div>
		</div>
	);
}
