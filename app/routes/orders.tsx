import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { CheckingNotice } from "#app/basket/checking-notice.tsx";
import { shopName } from "#app/brand.ts";
import { forgetCustomer } from "#app/failures/handle-failures.client.ts";
import { PageTags } from "#app/frame/page-tags.tsx";
import { isPrefetch } from "#app/http/prefetch.server.ts";
import { addressOf } from "#app/http/rate-limit.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { orUnavailable } from "#app/http/timeout.server.ts";
import { claimGuestOrders } from "#app/orders/claim.server.ts";
import { OrderList } from "#app/orders/order-list.tsx";
import { type OrderQuery, readCursor, readOrderPage, writeCursor } from "#app/orders/order-page.server.ts";
import { forgetGuest, guestTokenHashes } from "#app/orders/owner.server.ts";
import { PendingOrder } from "#app/orders/pending-order.tsx";
import { Receipt } from "#app/orders/receipt.tsx";
import { RemoveOrders } from "#app/orders/remove-orders.tsx";
import { useOrderFeed } from "#app/orders/use-order-feed.ts";
import { useReceipt } from "#app/orders/use-receipt.ts";
import { completePage } from "#app/payments/poll.server.ts";
import { recordGuest } from "#app/tab/buyer.ts";
import { paymentIntentIdOf } from "#app/tab/client-secret.ts";
import type { FailedForm } from "#app/tab/intercepted.ts";
import { refunded } from "#app/tab/purchase.ts";
import { tab, useIsPaying } from "#app/tab/tab.ts";
import { justPaid } from "#app/tab/tab-state.ts";
import { formatOrderDate, requestTimeZone } from "#app/ui/date.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { focusHeading } from "#app/ui/focus-heading.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import type { Route } from "./+types/orders";
import stylesheet from "./items.css?url";

const styles = pageStyles(stylesheet);

export async function loader({ request, url, context }: Route.LoaderArgs) {
	const opened = context.get(requestContext);
	const { services, cookies, authenticate } = opened;
	const { primary } = opened.databases;
	const sessionToken = cookies.get(sessionCookieName);
	const isReadOnly = isPrefetch(request);
	const query = sessionToken !== null && {
		sessionToken,
		guestTokenHashes: isReadOnly ? [] : guestTokenHashes(cookies),
		before: readCursor(url),
		now: services.now(),
	};
	const read = (query: OrderQuery) => readOrderPage(primary, query);
	const { work } = services.timeouts;
	const [session, found] = await orUnavailable(work, () => Promise.all([authenticate(), query && read(query)]));
	if (!session || !query || !found) {
		const canSignIn = cookies.areKept;
		const canRemove = guestTokenHashes(cookies).length > 0;
		return { orders: [], older: null, isFirst: true, checking: false, customerId: null, canSignIn, canRemove };
	}
	const claimed = found.hasUnclaimed && (await claimGuestOrders(services, primary, cookies, session.userId));
	const listed = claimed ? await orUnavailable(work, () => read(query)) : found;
	const { orders, older, checking } = isReadOnly
		? { ...listed, checking: listed.waiting !== null }
		: await completePage(opened, listed, query, addressOf(request));
	const zone = requestTimeZone(request);
	return {
		orders: orders.map((order) => ({ ...order, date: formatOrderDate(order.created, zone) })),
		older: older && writeCursor(older),
		isFirst: query.before === null,
		checking,
		customerId: session.userId,
		canSignIn: true,
		canRemove: false,
	};
}

/** Removes a guest's orders from the browser. No account can claim them; the operator can find them by their numbers. */
export async function action({ context }: Route.ActionArgs) {
	const { services, cookies, authenticate } = context.get(requestContext);
	const isGuest = (await orUnavailable(services.timeouts.work, authenticate)) === null;
	if (isGuest) forgetGuest(cookies);
	return { isGuest };
}

export async function clientAction({
	serverAction,
}: Route.ClientActionArgs): Promise<{ removed: string | undefined } | FailedForm | null> {
	const { isGuest } = await serverAction();
	const { receipt } = tab.getState();
	// someone has signed in in another tab
	if (!isGuest) return null;
	tab.dispatch({ type: "buyer_changed", buyer: recordGuest() });
	focusHeading();
	return { removed: receipt?.id };
}

export default function Orders({ loaderData, actionData }: Route.ComponentProps) {
	const { orders, older, isFirst, checking, customerId, canSignIn, canRemove } = loaderData;
	const isPaying = useIsPaying();
	const isChecking = checking || isPaying;
	const paid = useReceipt();
	// only the payment that led to this page, or that completes on it, is acknowledged
	const [earlier] = useState(() => (justPaid(tab.getState()) ? undefined : tab.getState().receipt?.id));
	// what the list knows ends a payment that is being checked, whose polls a browser's extension may block
	useEffect(() => {
		const { intent } = tab.getState().purchase;
		if (!intent) return;
		const order = orders.find(({ id }) => id === paymentIntentIdOf(intent.clientSecret));
		if (order?.status === "paid") tab.dispatch({ type: "paid", created: order.created });
		else if (order) tab.dispatch({ type: "not_bought", message: refunded });
	}, [orders]);
	const listed = orders.find(({ id }) => id === paid?.id);
	const receipt = isFirst && listed?.status !== "refunded" ? paid : null;
	const isNew = receipt?.id !== earlier;
	const shown = isNew || !listed ? receipt : null;
	const guest = customerId === null;
	const failed = actionData && "refusal" in actionData ? actionData : undefined;
	const removeOrders = canRemove && <RemoveOrders failed={failed} />;
	useOrderFeed(loaderData, forgetCustomer);
	const { search } = useLocation();
	const title = isFirst ? "Your Orders" : "Older Orders";
	return (
		<div className="wrap page orders">
			<PageTags title={title} description={`Your orders at ${shopName}, newest first.`} />
			{styles}
			<h1>{title}</h1>
			{!isFirst && (
				<p>
					<Link to="/orders">Show the newest orders</Link>
				</p>
			)}
			{shown && (
				<Receipt paid={shown} listed={listed} isNew={isNew} isGuest={guest} canSignIn={canSignIn}>
					{removeOrders}
				</Receipt>
			)}
			<div role="status">
				{isChecking && <CheckingNotice />}
				{actionData && "removed" in actionData && (
					<div className="sheet">
						<p>Your orders were removed from this browser.</p>
						{actionData.removed && (
							<p>
								<span>Keep this order number:</span> <code translate="no">{actionData.removed}</code>
							</p>
						)}
					</div>
				)}
			</div>
			<PendingOrder />
			<OrderList key={customerId + search} orders={orders} receipt={shown?.id} />
			{older && (
				<p>
					<Link to={`/orders?before=${older}`}>Show older orders</Link>
				</p>
			)}
			{orders.length === 0 && !isChecking && !receipt && (
				<div className="sheet">
					{guest ? (
						<EmptyState
							action={
								<Link className="button main" to="/login">
									Sign In
								</Link>
							}
						>
							Sign in to see your orders.{" "}
							<small>What you bought as a guest in this browser moves to your account.</small>
						</EmptyState>
					) : (
						<EmptyState>You haven't ordered anything yet.</EmptyState>
					)}
					{removeOrders}
				</div>
			)}
		</div>
	);
}
