import { ThemeButtons } from "#app/theme/theme.tsx";
import { Link } from "#app/ui/link.tsx";

export function FooterBar() {
	return (
		<footer className="foot">
			<div className="wrap">
				<Link to="/" viewTransition>
					Home
				</Link>
				<ThemeButtons />
				<span>Exactly six things. A demo: nothing is sold.</span>
			</div>
		</footer>
	);
}
