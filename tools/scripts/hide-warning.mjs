// Loaded before React Router's CLI. Each Vite server that @react-router/dev 7.18 starts prints this warning about its
// own options, and nothing in our configuration can change them. Delete this file once a build without it is silent.
const { warn } = console;
console.warn = (...args) => {
	if (!String(args[0]).includes("The `envFile` option is deprecated")) warn(...args);
};
