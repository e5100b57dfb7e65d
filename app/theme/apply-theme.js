// Runs in the head, before anything is painted: the saved theme, or the system's when none (or no theme) is saved.
{
	let saved;
	try {
		saved = localStorage.getItem("theme");
	} catch {}
	const dark = saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
	document.documentElement.dataset.theme = dark ? "dark" : "light";
}
