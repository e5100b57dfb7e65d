/** Whether this is a short run, which only shows that each part works: `SHORT=1 npm run bench`. */
export const short = Boolean(process.env["SHORT"]);

/** Returns how often to measure: once in a short run. */
export const repetitions = (usual: number) => (short ? 1 : usual);
