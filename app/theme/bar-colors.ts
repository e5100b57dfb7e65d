/** The colors of the browser's own bars: `--bar` in tokens.css. */
export const barColors = { light: "#141c26", dark: "#0a0f15" };
