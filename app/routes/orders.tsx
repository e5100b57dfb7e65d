import { Link, useLocation, useRevalidator } from "react-router";
import { customerContext } from "#app/auth/customer.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { GuestReceipt, guestReceiptIn } from "#app/orders/guest-receipt.tsx";
import { OrderCard } from "#app/orders/order-card.tsx";
import { claimGuestOrders } from "#app/orders/owner.server.ts";
import { outsideContext } from "#app/outside.server.ts";
import { listSettledOrders } from "#app/payments/settled-orders.server.ts";
import { formatOrderDate, requestTimeZone } from "#app/ui/date.server.ts";
import { useRevalidateWhile } from "#app/ui/revalidate-while.ts";
import type { Route } from "./+types/orders";

export const handle = { header: true, footerBar: true };

export const meta: Route.MetaFunction = () => [{ title: "Your Orders · Half Dozen" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const customer = context.get(customerContext);
	if (!customer) return { orders: [], guest: true, checking: false };
	const { primary } = context.get(databasesContext);
	const outside = context.get(outsideContext);
	await claimGuestOrders(outside, primary, context.get(cookiesContext), customer.id);
	const { orders, checking } = await listSettledOrders(outside, primary, customer.id);
	const zone = requestTimeZone(request);
	const dated = orders.map((order) => ({ ...order, date: formatOrderDate(order.created, zone) }));
	return { guest: false, checking, orders: dated };
}

export default function Orders({ loaderData }: Route.ComponentProps) {
	const { orders, guest, checking } = loaderData;
	useRevalidateWhile(checking);
	const receipt = guestReceiptIn(useLocation().state);
	return (
		<div className="wrap page">
			<h1>Your Orders</h1>
			{guest && receipt && <GuestReceipt {...receipt} />}
			<div role="status">
				{checking && <p className="sheet">We are checking a payment of yours. This page finds out by itself.</p>}
			</div>
			{orders.map((order) => (
				<OrderCard key={order.id} order={order} date={order.date} />
			))}
			{orders.length === 0 && !checking && (
				<p className="sheet">
					{guest ? (
						<>
							<Link to="/login">Sign in</Link> to see your orders. What you buy as a guest moves to your account when
							you sign in or create one in this browser.
						</>
					) : (
						<>
							You have not ordered anything yet. <Link to="/">Have a look at the six things.</Link>
						</>
					)}
				</p>
			)}
		</div>
	);
}

/** The page around this one stays, and the basket with it. The shop's own words for an error would say that nothing
 *  was charged, and somebody who has just paid comes here. */
export function ErrorBoundary() {
	const { revalidate, state } = useRevalidator();
	return (
		<div className="wrap page">
			<h1>Your Orders</h1>
			<div className="sheet" role="alert">
				<p className="error">Your orders cannot be shown at the moment. What you have paid for is not lost.</p>
				<button type="button" className="button" disabled={state !== "idle"} onClick={() => void revalidate()}>
					Try again
				</button>
			</div>
		</div>
	);
}
