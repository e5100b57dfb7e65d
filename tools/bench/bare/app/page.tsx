import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { d1Context } from "./d1.ts";

export const meta = () => [{ title: "A bare page" }, { name: "description", content: "The cost of the framework." }];

/** Runs the number of queries that the URL specifies, one after another. Each query reads the row with the lowest primary
 *  key. */
export async function loader({ params, context }: LoaderFunctionArgs) {
	const titles: unknown[] = [];
	for (let query = 0; query < Number(params["queries"]); query++) {
		const statement = context.get(d1Context).prepare("select title from products order by id limit 1");
		titles.push(await statement.first("title"));
	}
	return { titles };
}

export default function Page() {
	const { titles } = useLoaderData<typeof loader>();
	return (
		<main>
			<h1>A bare page</h1>
			<p>The cost of React Router and React on this machine, with almost no content.</p>
			<nav>
				<ul>
					<li>
						<a href="https://reactrouter.com/docs">React Router's documentation</a>
					</li>
					<li>
						<a href="https://developers.cloudflare.com/workers/">Cloudflare's</a>
					</li>
				</ul>
			</nav>
			<p>Found: {titles.join(", ") || "no queries"}</p>
		</main>
	);
}
