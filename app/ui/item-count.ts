/** Returns "1 item", "2 items" and so on. */
export function itemCount(count: number): string {
	return count === 1 ? "1 item" : `${count} items`;
}
