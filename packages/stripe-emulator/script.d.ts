/** A TypeScript module with everything it imports, bundled into the text of one classic script. */
declare module "*?script" {
	const code: string;
	export default code;
}
