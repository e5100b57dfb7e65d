// Runs in the head, before the first paint. Any other saved value means the system's theme.
{
	const tryApi = (access) => {
		try {
			return access();
		} catch {}
	};
	const root = document.documentElement;
	const apply = () => {
		// without storage, a page keeps its theme
		const saved = tryApi(() => localStorage.getItem("theme")) ?? root.dataset.theme;
		const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = saved === "dark" || (saved !== "light" && tryApi(prefersDark)) ? "dark" : "light";
		dispatchEvent(new Event("theme"));
	};
	// also dispatched by the theme buttons
	addEventListener("theme", () => {
		const color = root.dataset.theme === "dark" ? "#0a0f15" : "#141c26";
		for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = color;
	});
	apply();
	// another page has saved a theme, maybe while this one was in the back/forward cache
	addEventListener("storage", ({ key }) => key === "theme" && apply());
	addEventListener("pageshow", ({ persisted }) => persisted && apply());
}
