/** Lines of a name and a value, aligned. */
export function table(rows: [name: string, value: string][]): string {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

/** The middle and the upper end of some measurements, rounded. */
export function percentiles(values: number[]): string {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
	return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, at most ${at(1)}`;
}
