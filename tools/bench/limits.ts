/** Whether this is a short run (`SHORT=1 npm run bench`). It measures once, and checks only the limits of counts. */
export const short = Boolean(process.env["SHORT"]);

/** Returns how often to measure: once in a short run. */
export const repetitions = (usual: number) => (short ? 1 : usual);

interface Limit {
	/** What is limited, and its unit. */
	of: string;
	min?: number;
	max?: number;
	/** Whether the value is derived from times. */
	timed?: true;
}

/** A limit and the measured value. */
export type Measured = [Limit, number];

/** The limits of all parts: what is measured today, with a tolerance for other load on the machine if it is timed. The
 *  numbers in comments were measured in November 2026, with up to 20 busy processes on two cores. */
export const limits = {
	/** 12,854, of which the prices on the banner are 590. Hydrogen, Shopify's framework for shops on React Router, adds
	 *  22,300 to a bare page of its versions. */
	homeBytes: { of: "bytes more than a bare page loads", max: 12_900 },
	/** 115 to 250: most requests take less time than those of the bare page. */
	cachedThroughput: { of: "% of the bare page's throughput", min: 75, timed: true },
	/** 40 to 58 on an idle machine, 26 to 95 on a busy one. */
	renderedThroughput: { of: "% of the bare page's throughput", min: 20, timed: true },
	/** Of a page, create or confirm. */
	calls: { of: "calls in sequence", max: 1, timed: true },
	/** Of place or return. */
	orderCalls: { of: "calls in sequence", max: 2, timed: true },
	/** 799 on an idle machine, up to 872. */
	purchaseTime: { of: "ms from click to paid, while each call takes 150 ms", max: 950, timed: true },
	homeRows: { of: "rows read", max: 2 },
	/** 130, or a few more, because SQLite's Bloom filter depends on the ids. */
	ordersRows: { of: "rows read", max: 136 },
	/** 88 to 110. */
	grownThroughput: { of: "% of the throughput with ten customers and orders", min: 60, timed: true },
	performance: { of: "points for performance", min: 99, timed: true },
	score: { of: "points", min: 100 },
	lcp: { of: "ms until the largest contentful paint", max: 1750, timed: true },
	/** 24 to 80. The metric INP is good up to 200. */
	nextPaint: { of: "ms from a click to the next paint (median)", max: 200, timed: true },
} satisfies Record<string, Limit>;

/** Returns a sentence for each value that is not within its limit. */
export function check(row: string, measured: Measured[]): string[] {
	return measured.flatMap(([{ of, min = -Infinity, max = Infinity, timed }, value]) => {
		// without a measurement, the value is NaN
		if ((timed && short) || (value >= min && value <= max)) return [];
		const limit = max < Infinity ? `above the limit of ${max.toLocaleString("en")}` : `below the limit of ${min}`;
		const rounded = value.toLocaleString("en", { maximumFractionDigits: 0 });
		return [`${row}: ${rounded} ${of}, ${limit} in tools/bench/limits.ts`];
	});
}
