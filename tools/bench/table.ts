/** A row of the table. */
export type Row = [name: string, value: string];

/** Prints a measured value and adds it to the table. */
export type Report = (name: string, value: string) => void;

/** Measures the shop, and resolves to a sentence for each missed limit. */
export type Benchmark = (report: Report, argument?: number) => Promise<string[]>;

/** Formats rows in aligned columns. */
export function table(rows: Row[]): string {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

export function median(values: number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns the value at `rank`, which is between 0 (lowest) and 1 (highest). */
export function percentile(values: number[], rank: number): number {
	return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * rank))] ?? 0;
}

export function percentiles(values: number[]): string {
	const at = (rank: number) => Math.round(percentile(values, rank));
	return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)}`;
}
