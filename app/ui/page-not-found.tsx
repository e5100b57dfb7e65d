import type { ReactNode } from "react";

/** `children` are what the shop offers instead. */
export function PageNotFound({ children }: { children: ReactNode }) {
	return (
		<>
			<title>Page Not Found · Half Dozen</title>
			<div className="wrap page lost">
				<h1>Page Not Found</h1>
				<p>We are sorry: there is nothing at this address. Here are the six things that we do have.</p>
			</div>
			{children}
		</>
	);
}
