/** Translates the page into capitals, from hydration on, as a browser's translator does: replaces each text node by two
 *  nested elements, also whenever a text changes. Runs in the page. */
export function translatePage(): void {
	// translators skip these, and the frames of other sites
	const kept = "font, script, style, noscript, [translate=no]";

	function replaceText(text: Text): void {
		const closest = text.parentElement?.closest(`${kept}, [translate=yes]`);
		if (!text.data.trim() || closest?.matches(kept)) return;
		const [outer, inner] = [document.createElement("font"), document.createElement("font")];
		inner.textContent = text.data.toUpperCase();
		outer.appendChild(inner);
		text.replaceWith(outer);
	}

	function replaceTexts(root: Node): void {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		const texts: Text[] = [];
		for (let node: Node | null = walker.currentNode; node; node = walker.nextNode()) {
			if (node instanceof Text) texts.push(node);
		}
		for (const text of texts) replaceText(text);
	}

	const observer = new MutationObserver((changes) => {
		for (const { type, target, addedNodes } of changes) {
			for (const node of type === "characterData" ? [target] : addedNodes) replaceTexts(node);
		}
	});
	addEventListener("hydrated", () => {
		if (window !== top) return;
		replaceTexts(document.body);
		observer.observe(document.body, { childList: true, characterData: true, subtree: true });
	});
}

/** Returns the texts of the page that are not in capitals, without those that must not be translated. Runs in the page. */
export function listUntranslated(): string[] {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const texts: string[] = [];
	while (walker.nextNode()) {
		const { parentElement, textContent } = walker.currentNode;
		const isKept = parentElement?.closest("[translate], script, style, noscript")?.matches(":not([translate=yes])");
		if (!isKept && textContent && textContent !== textContent.toUpperCase()) texts.push(textContent);
	}
	return texts;
}
