import type { ReactNode } from "react";
import { Link } from "react-router";

/** `children` are the theme's buttons. */
export function FooterBar({ children }: { children: ReactNode }) {
	return (
		<footer className="foot">
			<div className="wrap">
				<Link to="/" viewTransition>
					Home
				</Link>
				{children}
				<span>A shop with exactly six things. Not a real one.</span>
			</div>
		</footer>
	);
}
