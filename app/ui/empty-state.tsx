import type { ReactNode } from "react";
import { Link } from "./link.tsx";
import { Mark } from "./mark.tsx";

/** Shown in place of an empty list, with a link to the products. */
export function EmptyState({ children }: { children: ReactNode }) {
	return (
		<div className="empty-state">
			<Mark />
			<p>{children}</p>
			<Link className="button" to="/">
				Shop all six things
			</Link>
		</div>
	);
}
