import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";
import { customerRoute } from "./auth/use-customer.ts";

export default [
	layout("frame/every-page.tsx", { id: customerRoute }, [
		index("routes/home.tsx"),
		route("login", "routes/login.tsx"),
		route("logout", "routes/logout.ts"),
		route("checkout", "routes/checkout.tsx"),
		route("payment", "routes/payment.tsx"),
		route("orders", "routes/orders.tsx"),
		route("orders/feed", "routes/orders.feed.ts"),
		route("product/:id", "routes/product.tsx"),
		route("payments/create", "routes/payments.create.ts"),
		route("payments/place", "routes/payments.place.ts"),
		route("payments/fulfill", "routes/payments.fulfill.ts"),
		route("payments/outcome", "routes/payments.fulfill.ts", { id: "routes/payments.outcome" }),
		route("stripe/webhook", "routes/stripe.webhook.ts"),
		route("healthz", "routes/healthz.ts"),
		route("robots.txt", "routes/robots.ts"),
		route("sitemap.xml", "routes/sitemap.ts"),
		route("*", "routes/not-found.tsx"),
	]),
] satisfies RouteConfig;
