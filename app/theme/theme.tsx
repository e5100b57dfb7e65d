import { useEffect, useState } from "react";

type Theme = "dark" | "light";

export function ThemeButtons() {
	// unknown on the server, and so at hydration
	const [theme, setTheme] = useState<Theme | null>(null);
	useEffect(() => setTheme(document.documentElement.dataset["theme"] === "dark" ? "dark" : "light"), []);

	function choose(next: Theme) {
		setTheme(next);
		document.documentElement.dataset["theme"] = next;
		try {
			localStorage.setItem("theme", next);
		} catch {
			// a browser that keeps nothing still changes the theme until the next load
		}
	}

	return (
		<fieldset aria-label="Theme">
			<button type="button" aria-pressed={theme === "dark"} onClick={() => choose("dark")}>
				Dark
			</button>
			<button type="button" aria-pressed={theme === "light"} onClick={() => choose("light")}>
				Light
			</button>
		</fieldset>
	);
}
