import { Link } from "react-router";
import { logo } from "#app/brand.ts";
import { Mark } from "./mark.tsx";

export function Logo() {
	return (
		<Link className="logo" to="/">
			<Mark />
			<span translate="no">{logo}</span>
		</Link>
	);
}
