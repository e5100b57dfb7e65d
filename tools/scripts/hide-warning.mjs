// Loaded before React Router's CLI. Each Vite server that @react-router/dev 7.18 starts prints the first warning about
// its own options, and nothing in our configuration can change them. The second is about the options in wrangler.toml
// that only `wrangler dev` reads. Delete this file once a build without it is silent.
const { warn } = console;
const hidden = ["The `envFile` option is deprecated", "ignored since they are not applicable when using Vite"];
console.warn = (...args) => {
	if (!hidden.some((text) => String(args[0]).includes(text))) warn(...args);
};

// The message of a build error contains the code, and its stack only functions of the tools.
const { error } = console;
console.error = (...args) => error(...args.map((arg) => (arg instanceof Error && "errors" in arg ? locate(arg) : arg)));

/** @param {Error} buildError */
function locate({ message }) {
	return message.replaceAll(/\?__react-router-[\w-]+/g, "");
}
