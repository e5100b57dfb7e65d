/** Replaces the package prop-types: its validators, which React 19 ignores. */
export default { func: {} };
