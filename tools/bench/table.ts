import type { Measured } from "./limits.ts";

/** A row of the table. */
export type Row = [name: string, value: string];

/** Prints a row, adds it to the table, and checks the limits. */
export type Report = (name: string, value: string, measured?: Measured[]) => void;

/** Measures the shop. */
export type Benchmark = (report: Report) => Promise<void>;

/** Formats rows in aligned columns. */
export function table(rows: readonly string[][]): string {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
	return lines.map((line) => line.trimEnd()).join("\n");
}

/** Returns the value at `rank`, which is between 0 (lowest) and 1 (highest), or NaN if there are no values. */
export function percentile(values: number[], rank: number): number {
	return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * rank))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
