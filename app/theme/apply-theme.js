// Runs in the head, before the first paint. Any other saved value means the system's theme.
{
	const attempt = (access) => {
		try {
			return access();
		} catch {}
	};
	const saved = attempt(() => localStorage.getItem("theme"));
	const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
	const root = document.documentElement;
	root.dataset.theme = saved === "dark" || (saved !== "light" && attempt(prefersDark)) ? "dark" : "light";
	const setColor = () => {
		const color = root.dataset.theme === "dark" ? "#0a0f15" : "#141c26";
		for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = color;
	};
	setColor();
	// dispatched by the theme buttons
	addEventListener("theme", setColor);
}
