/** A line of the table: what was measured, and what it came to. */
export type Row = [name: string, value: string];

/** What a part of the bench came to; `failures` are sentences, one for each count that is wrong. */
export interface Measured {
	rows: Row[];
	failures: string[];
}

/** Lines of a name and a value, aligned. */
export function table(rows: Row[]): string {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

/** The value in the middle. */
export function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The value that `part` of them are below, such as 0.99. */
export function percentile(values: number[], part: number): number {
	return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;
}

/** The middle and the upper end of some measurements, rounded. */
export function percentiles(values: number[]): string {
	const at = (part: number) => Math.round(percentile(values, part));
	return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, at most ${at(1)}`;
}
