import type { FormEvent } from "react";
import { Link } from "react-router";
import { itemCount } from "./item-count.ts";
import { Logo } from "./logo.tsx";
import { SignOut } from "./sign-out.tsx";

interface HeaderProps {
	/** The signed-in customer's e-mail, or null for a guest. */
	email: string | null;
	basketCount: number;
	/** May prevent it. */
	onSignOut(event: FormEvent): void;
}

export function Header({ email, basketCount, onSignOut }: HeaderProps) {
	return (
		<header className="bar">
			<div className="wrap">
				<Logo />
				<div className="search">
					<input type="search" aria-label="Search" placeholder="Search six things" autoComplete="off" />
					<svg viewBox="0 0 24 24" aria-hidden="true">
						<circle cx="10.5" cy="10.5" r="6" />
						<path d="m15 15 5.5 5.5" />
					</svg>
				</div>
				<nav aria-label="Shop">
					<div className="two who">
						<small title={email ?? undefined}>Hello {email ?? "Guest"}</small>
						{email ? <SignOut onSubmit={onSignOut} /> : <Link to="/login">Sign In</Link>}
					</div>
					<Link className="two" to="/orders">
						<small>Returns</small>
						<span>&amp; Orders</span>
					</Link>
					<div className="two">
						<small>Your</small>
						<span>Prime</span>
					</div>
					<Link className="basket" to="/checkout" aria-label={`Basket, ${itemCount(basketCount)}`}>
						<svg viewBox="0 0 24 24" aria-hidden="true">
							<path d="M4 9h16l-2 10H6zM8 9l3-6m5 6-3-6" />
						</svg>
						<b>{basketCount}</b>
					</Link>
				</nav>
			</div>
		</header>
	);
}
