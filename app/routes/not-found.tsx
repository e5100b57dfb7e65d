import { data } from "react-router";
import { readCatalogue, toListed } from "#app/catalogue/catalogue.server.ts";
import { PageNotFound } from "#app/failures/page-not-found.tsx";
import { requestContext } from "#app/http/request-context.server.ts";
import type { Route } from "./+types/not-found";

export async function loader({ context }: Route.LoaderArgs) {
	const catalogue = await readCatalogue(context.get(requestContext));
	return data({ products: catalogue.map(toListed) }, { status: 404 });
}

export default function NotFound({ loaderData }: Route.ComponentProps) {
	return <PageNotFound products={loaderData.products} />;
}
