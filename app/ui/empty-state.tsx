import type { ReactNode } from "react";
import { Link } from "react-router";
import { Mark } from "./mark.tsx";

/** What stands where a list would, and a way on. */
export function EmptyState({ children }: { children: ReactNode }) {
	return (
		<div className="nothing">
			<Mark />
			<p>{children}</p>
			<Link className="button" to="/">
				Have a look at the six things
			</Link>
		</div>
	);
}
