/** Returns "1 item", "2 items" and so on, or a count of `what`. */
export function itemCount(count: number, what = "item"): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
