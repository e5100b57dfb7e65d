/** Returns a function that prints each of `total` units of work as it starts, such as `3 of 30: /login`. */
export function progress(total: number): (unit: string) => void {
	let count = 0;
	return (unit) => console.info(`${++count} of ${total}: ${unit}`);
}
