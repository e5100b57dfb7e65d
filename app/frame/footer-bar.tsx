import { Link } from "react-router";
import { footerNotice, slogan } from "#app/brand.ts";
import { ThemeButtons } from "#app/theme/theme.tsx";

export function FooterBar() {
	return (
		<footer className="foot">
			<div className="wrap">
				<Link to="/">Home</Link>
				<ThemeButtons />
				<span>{`${slogan} ${footerNotice}`}</span>
			</div>
		</footer>
	);
}
