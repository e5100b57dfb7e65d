/** Updates `old` to match `fresh` and leaves equal nodes untouched, which preserves focus, input, selection, scroll
 *  positions and open details. Matches children by id, or by position if they have no id. */
export function morph(old: Element, fresh: Element): void {
	copyAttributes(old, fresh);
	let place = old.firstChild;
	for (const node of fresh.childNodes) {
		const match = counterpart(node, place);
		if (!match) {
			old.insertBefore(document.importNode(node, true), place);
			continue;
		}
		place = removeUntil(match, place).nextSibling;
		if (match instanceof Element && node instanceof Element) morph(match, node);
		else if (match.nodeValue !== node.nodeValue) match.nodeValue = node.nodeValue;
	}
	while (place) place = removed(place);
}

/** Finds the existing node that corresponds to a new one, at or after `place`. */
function counterpart(node: Node, place: ChildNode | null): ChildNode | null {
	if (!place) return null;
	const id = idOf(node);
	if (id === "") return place.nodeName === node.nodeName && idOf(place) === "" ? place : null;
	for (let sibling: ChildNode | null = place; sibling; sibling = sibling.nextSibling) {
		if (idOf(sibling) === id) return sibling;
	}
	return null;
}

function idOf(node: Node): string {
	return node instanceof Element ? node.id : "";
}

function removeUntil(match: ChildNode, place: ChildNode | null): ChildNode {
	let next = place;
	while (next && next !== match) next = removed(next);
	return match;
}

/** Removes a node and returns its next sibling. */
function removed(node: ChildNode): ChildNode | null {
	const next = node.nextSibling;
	node.remove();
	return next;
}

function copyAttributes(old: Element, fresh: Element): void {
	for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
	for (const { name } of [...old.attributes]) {
		// details opened by the user stay open
		if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
	}
}
