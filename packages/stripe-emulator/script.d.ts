/** A TypeScript module and its imports, bundled into one classic script and imported as a string. */
declare module "*?script" {
	const code: string;
	export default code;
}
