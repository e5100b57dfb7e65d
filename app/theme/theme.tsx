import { useSyncExternalStore } from "react";
import { tryApi } from "#app/ui/try-api.ts";

type Theme = "dark" | "light";

const root = () => document.documentElement;

export function ThemeButtons() {
	const theme = useTheme();

	function choose(next: Theme) {
		root().dataset["theme"] = next;
		dispatchEvent(new Event("theme"));
		// if storage is denied, the theme lasts until the next load
		tryApi(() => localStorage.setItem("theme", next));
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

/** Returns the root's data-theme, which a script in the head sets; null on the server and during hydration. */
export function useTheme(): Theme | null {
	return useSyncExternalStore<Theme | null>(
		subscribe,
		() => (root().dataset["theme"] === "dark" ? "dark" : "light"),
		() => null,
	);
}

function subscribe(onChange: () => void): () => void {
	addEventListener("theme", onChange);
	return () => removeEventListener("theme", onChange);
}
