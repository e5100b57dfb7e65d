// Runs in the head, before the first paint. Any other saved value means the system's theme.
{
	let saved;
	try {
		saved = localStorage.getItem("theme");
	} catch {}
	const root = document.documentElement;
	const dark = saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	// the theme buttons change data-theme
	new MutationObserver(() => {
		const color = root.dataset.theme === "dark" ? "#0a0f15" : "#141c26";
		for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = color;
	}).observe(root, { attributeFilter: ["data-theme"] });
	root.dataset.theme = dark ? "dark" : "light";
}
