// Runs in the head, before the first paint. A saved value other than dark and light means the system's theme. If nothing
// is saved, the page keeps its theme, and starts with the system's.

import { barColors } from "#app/brand.ts";
import { tryApi } from "../ui/try-api.ts";

const root = document.documentElement;

function apply() {
	const saved = tryApi(() => localStorage.getItem("theme")) ?? root.dataset["theme"];
	const prefersDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset["theme"] = saved === "dark" || (saved !== "light" && tryApi(prefersDark)) ? "dark" : "light";
	dispatchEvent(new Event("theme"));
}

// also dispatched by the theme buttons
addEventListener("theme", () => {
	const color = root.dataset["theme"] === "dark" ? barColors.dark : barColors.light;
	for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) meta.content = color;
});
apply();
// another page has saved a theme, maybe while this one was in the back/forward cache
addEventListener("storage", ({ key }) => key === "theme" && apply());
addEventListener("pageshow", ({ persisted }) => persisted && apply());
