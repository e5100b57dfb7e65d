// Runs in the head, before the first paint. Any other saved value means the system's theme.
{
	let saved;
	try {
		saved = localStorage.getItem("theme");
	} catch {}
	const dark = saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	document.documentElement.dataset.theme = dark ? "dark" : "light";
}
