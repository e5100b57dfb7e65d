import { footerNotice, slogan } from "#app/brand.ts";
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
				<span>{`${slogan} ${footerNotice}`}</span>
			</div>
		</footer>
	);
}
