import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { d1Context } from "./d1.ts";

export const meta = () => [{ title: "A bare page" }, { name: "description", content: "What the framework costs." }];

/** Makes as many queries as the URL says, one after the other; each finds a row by its key. */
export async function loader({ params, context }: LoaderFunctionArgs) {
	const titles: unknown[] = [];
	for (let query = 0; query < Number(params["queries"]); query++) {
		const statement = context.get(d1Context).prepare("select title from products where id = ?").bind("12321341");
		titles.push(await statement.first("title"));
	}
	return { titles };
}

export default function Page() {
	const { titles } = useLoaderData<typeof loader>();
	return (
		<main>
			<h1>A bare page</h1>
			<p>What React Router and React cost on this machine, with next to nothing to show.</p>
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
			<p>Found: {titles.join(", ") || "nothing was asked"}</p>
		</main>
	);
}
