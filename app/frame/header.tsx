import type { FormEvent } from "react";
import { Link, useFetcher, useLocation } from "react-router";
import { CustomerName } from "#app/auth/customer-name.tsx";
import { useCustomer } from "#app/auth/use-customer.ts";
import { searchDescription, searchLabel } from "#app/brand.ts";
import type { FailedForm } from "#app/tab/intercepted.ts";
import { LoadPage } from "#app/tab/load-page.tsx";
import { mustStay, stayNotice } from "#app/tab/purchase.ts";
import { tab, useTab } from "#app/tab/tab.ts";
import { announce } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import { Logo } from "#app/ui/logo.tsx";

export function Header() {
	const count = useTab(({ basket }) => basket.length);
	const user = useCustomer();
	return (
		<header className="bar">
			<a className="skip" href="#main">
				Skip to content
			</a>
			<div className="wrap">
				<Logo />
				{/* part of the specification, without a function: six products need no search */}
				<div className="search">
					<input
						type="search"
						aria-label="Search"
						aria-describedby="search-hint"
						placeholder={searchLabel}
						autoComplete="off"
					/>
					<svg viewBox="0 0 24 24" aria-hidden="true">
						<circle cx="10.5" cy="10.5" r="6" />
						<path d="m15 15 5.5 5.5" />
					</svg>
					<small id="search-hint">{searchDescription}</small>
				</div>
				<nav aria-label="Shop">
					<div className="two who">
						{user !== undefined && (
							<>
								<small title={user?.email}>
									Hello <CustomerName />
								</small>
								{user ? <SignOut /> : <Link to="/login">Sign In</Link>}
							</>
						)}
					</div>
					<Link className="two" to="/orders">
						<small>Returns</small>
						<span>&amp; Orders</span>
					</Link>
					<div className="two">
						<small>Your</small>
						<span>Prime</span>
					</div>
					<Link className="basket" to="/checkout" aria-label={`Basket, ${itemCount(count)}`}>
						<svg viewBox="0 0 24 24" aria-hidden="true">
							<path d="M4 9h16l-2 10H6zM8 9l3-6m5 6-3-6" />
						</svg>
						{/* the key restarts the animation */}
						<b key={count}>{count}</b>
					</Link>
				</nav>
			</div>
		</header>
	);
}

/** Signs out without leaving the page. If signing out fails, shows an error until the next navigation. */
function SignOut() {
	const { key } = useLocation();
	const { Form, data, state } = useFetcher<FailedForm>({ key: `sign-out ${key}` });

	function onSubmit(event: FormEvent) {
		if (!mustStay(tab.getState().purchase)) return;
		event.preventDefault();
		announce(stayNotice);
	}

	return (
		<Form method="post" action="/logout" preventScrollReset onSubmit={onSubmit}>
			<button type="submit">Sign Out</button>
			{state === "idle" && data && (
				<div role="alert">
					<p>{`We couldn't confirm that you're signed out. ${data.refusal}`}</p>
					{data.needsDocument && <LoadPage />}
				</div>
			)}
		</Form>
	);
}
