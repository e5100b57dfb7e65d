import { logo } from "#app/brand.ts";
import { Link } from "./link.tsx";
import { Mark } from "./mark.tsx";

export function Logo() {
	return (
		<Link className="logo" to="/" viewTransition>
			<Mark />
			<span translate="no">{logo}</span>
		</Link>
	);
}
