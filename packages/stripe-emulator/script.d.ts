/** The text of a TypeScript module, bundled with its imports into one classic script. See vite.ts. */
declare module "*?script" {
	const code: string;
	export default code;
}
