import { useLocation } from "react-router";
import { authenticate } from "#app/auth/customer.server.ts";
import { sessionCookieName } from "#app/auth/lucia.server.ts";
import { sessionCustomer } from "#app/auth/session-customer.server.ts";
import stylesheet from "#app/basket/items.css?url";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import { addressOf } from "#app/http/rate-limit.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { readCursor, writeCursor } from "#app/orders/order-cursor.server.ts";
import { OrderList } from "#app/orders/order-list.tsx";
import { guestTokenHash, listUnclaimedOrders } from "#app/orders/owner.server.ts";
import { ReceiptCard, useReceipt } from "#app/orders/receipt.tsx";
import { useOrderFeed } from "#app/orders/use-order-feed.ts";
import { listFulfilledOrders } from "#app/payments/fulfilled-orders.server.ts";
import { servicesContext } from "#app/services.server.ts";
import { PageTags } from "#app/shell/page-tags.tsx";
import { formatOrderDate, requestTimeZone } from "#app/ui/date.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/orders";

const styles = pageStyles(stylesheet);

export async function loader({ request, url, context }: Route.LoaderArgs) {
	const { primary } = context.get(databasesContext);
	const services = context.get(servicesContext);
	const cookies = context.get(cookiesContext);
	const before = readCursor(url);
	const isReadOnly = isPrefetch(request);
	const now = services.now();
	const customer = sessionCustomer(cookies, now);
	const guest = isReadOnly ? null : guestTokenHash(cookies);
	const page =
		cookies.get(sessionCookieName) === null
			? null
			: await listFulfilledOrders(
					services,
					primary,
					authenticate(request, context),
					{ customer, guestTokenHash: guest, before, now },
					{ isReadOnly, address: addressOf(request) },
				);
	if (!page) {
		const unclaimed = await withFallback(
			services.timeouts.request,
			() => listUnclaimedOrders(primary, cookies),
			() => null,
		);
		return { orders: [], older: null, isFirst: true, checking: false, customerId: null, unclaimed };
	}
	const { orders, older, checking, customerId } = page;
	const zone = requestTimeZone(request);
	const dated = orders.map((order) => ({ ...order, date: formatOrderDate(order.created, zone) }));
	return {
		orders: dated,
		older: older && writeCursor(older),
		isFirst: before === null,
		checking,
		customerId,
		unclaimed: [],
	};
}

export default function Orders({ loaderData }: Route.ComponentProps) {
	const { orders, older, isFirst, checking, customerId } = loaderData;
	const guest = customerId === null;
	useOrderFeed(loaderData);
	const { search } = useLocation();
	const receipt = useReceipt(loaderData);
	return (
		<div className="wrap page">
			<PageTags title="Your Orders · Half Dozen" description="Your orders at Half Dozen, newest first." />
			{styles}
			<h1>{isFirst ? "Your Orders" : "Older orders"}</h1>
			{!isFirst && (
				<p>
					<Link to="/orders">Show the newest orders</Link>
				</p>
			)}
			{receipt && <ReceiptCard {...receipt} isGuest={guest} />}
			<div role="status">
				{checking && <p className="sheet">We're checking one of your payments. This page updates automatically.</p>}
			</div>
			<OrderList key={customerId + search} orders={orders} />
			{older && (
				<p>
					<Link to={`/orders?before=${older}`}>Show older orders</Link>
				</p>
			)}
			{orders.length === 0 && !checking && !receipt && (
				<div className="sheet">
					<EmptyState>
						{guest ? (
							<>
								<Link to="/login">Sign in</Link> to see your orders. Anything you buy as a guest moves to your account
								when you sign in or create one in this browser.
							</>
						) : (
							"You haven't ordered anything yet."
						)}
					</EmptyState>
				</div>
			)}
		</div>
	);
}
