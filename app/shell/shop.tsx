import { authenticate, customerContext } from "#app/auth/customer.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/shop";
import { ErrorPage } from "./error-page.tsx";
import { keepShop } from "./keep-shop.client.ts";

// The parent of every route. What fails below it, or in it, fails inside the frame and the providers of root.tsx, which
// has no data and no request of its own.

export const middleware: Route.MiddlewareFunction[] = [authenticate];

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepShop];

export function loader({ context }: Route.LoaderArgs) {
	const { notice } = context.get(servicesContext);
	return { customer: context.get(customerContext), notice };
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} />;
}
