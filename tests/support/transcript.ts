import type { Frame, Page } from "@playwright/test";

/** Roles that are not said, only what is inside. */
const silent = new Set([
	...["RootWebArea", "generic", "none", "paragraph", "listitem", "LabelText", "status", "alert"],
	...["sectionheader", "sectionfooter", "row", "cell", "time", "code", "strong", "emphasis"],
]);
/** Roles whose name stands for the text inside. */
const named = new Set([
	...["link", "button", "heading", "image", "checkbox", "textbox", "searchbox", "DisclosureTriangle", "rowheader"],
]);
const spokenRoles: Record<string, string> = {
	textbox: "edit box",
	searchbox: "search box",
	DisclosureTriangle: "button",
	rowheader: "row header",
	Iframe: "frame",
	RootWebArea: "document",
};

/** What is said for the values of a property. */
const spokenStates: Record<string, Record<string, string>> = {
	disabled: { true: "unavailable" },
	expanded: { true: "expanded", false: "collapsed" },
	pressed: { true: "pressed", false: "not pressed" },
	checked: { true: "checked", false: "not checked" },
	invalid: { true: "invalid" },
	required: { true: "required" },
	readonly: { true: "read only" },
};

export type Node = Awaited<ReturnType<typeof readTree>>[number];
const roleOf = (node: Node): string => node.role?.value ?? "";

/** Something that is said. Adjacent texts of the same `block` are one line. */
interface Item {
	text: string;
	block?: number;
}

/** Returns what a screen reader reads from the top of the page to the bottom, one line for each item. What is inside a
 *  landmark, a list or another container is indented. */
export async function transcriptOf(page: Page): Promise<string> {
	const lines = await readFrame(page.mainFrame());
	return written([`document, ${await page.title()}`, ...lines]);
}

/** Returns the lines of a frame and of the frames inside. */
async function readFrame(frame: Frame): Promise<string[]> {
	const inside = new Map<string | null, string[]>();
	for (const element of await frame.locator("iframe").elementHandles()) {
		const inner = await element.contentFrame();
		if (inner) inside.set(await element.getAttribute("title"), await readFrame(inner));
	}
	return linesOf(await readTree(frame), inside);
}

/** Returns the text of a transcript, in which a placeholder replaces each order id, email and date. */
export function written(lines: string[]): string {
	return `${lines.join("\n")}\n`
		.replaceAll(/\bpi_\w+/g, "{order}")
		.replaceAll(/[\w.+-]+@[\w.-]+\.\w+/g, "{email}")
		.replaceAll(/[A-Z][a-z]+ \d+(st|nd|rd|th) \d{4}, \d+:\d\d[ap]m/g, "{date}");
}

/** Reads a frame's accessibility tree, to which it adds from the DOM the value of `aria-current`, and the block and the
 *  block or inline block that contain the node. */
export async function readTree(frame: Frame) {
	const page = frame.page();
	const session = await page.context().newCDPSession(frame.parentFrame() ? frame : page);
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	const { documents, strings } = await session.send("DOMSnapshot.captureSnapshot", { computedStyles: ["display"] });
	await session.detach();
	const [document] = documents;
	if (!document) throw new Error("The frame has no document.");
	const { backendNodeId = [], parentIndex = [], attributes = [] } = document.nodes;
	const { nodeIndex, styles } = document.layout;
	const displays = new Map(nodeIndex.map((node, index) => [node, strings[styles[index]?.[0] ?? -1]]));
	/** Returns the next ancestor with another display. */
	function ancestorOf(element: number, display: RegExp): number {
		const parent = parentIndex[element] ?? -1;
		const isFound = parent < 0 || !display.test(displays.get(parent) ?? "contents");
		return isFound ? parent : ancestorOf(parent, display);
	}
	return nodes.map((node) => {
		const element = backendNodeId.indexOf(node.backendDOMNodeId ?? -1);
		const pairs = (attributes[element] ?? []).map((index) => strings[index]);
		const current = pairs[pairs.indexOf("aria-current") + 1];
		return {
			...node,
			block: ancestorOf(element, /^(inline|contents)/),
			box: ancestorOf(element, /^(inline|contents)$/),
			current: pairs.includes("aria-current") ? current : "false",
		};
	});
}

/** Returns what is said for a node: its role, states, name, value and description. */
export function spoken(node: Node): string {
	const properties = new Map(node.properties?.map(({ name, value }) => [String(name), String(value.value)]));
	const role = roleOf(node);
	const states = Object.entries(spokenStates).map(([name, values]) => values[properties.get(name) ?? ""]);
	if (node.current !== "false") states.push(node.current === "true" ? "current" : `current ${node.current}`);
	const count = node.childIds?.length;
	const items = role === "list" ? `${count} ${count === 1 ? "item" : "items"}` : "";
	const said = [
		role === "heading" ? `heading ${properties.get("level")}` : (spokenRoles[role] ?? role),
		...[...states, node.name?.value, items, node.value?.value],
	];
	return [said.filter(Boolean).join(", "), node.description?.value].filter(Boolean).join(". ");
}

function linesOf(tree: Node[], inside: Map<string | null, string[]>): string[] {
	const nodes = new Map(tree.map((node) => [node.nodeId, node]));

	/** Returns the items of a node. In what is already named, only controls are said. */
	function itemsOf(node: Node, isNamed: boolean): Item[] {
		const role = roleOf(node);
		const name: string = node.name?.value ?? "";
		const content = (isNamed: boolean) =>
			(node.childIds ?? []).flatMap((id) => {
				const child = nodes.get(id);
				return child ? itemsOf(child, isNamed) : [];
			});
		if (node.ignored || silent.has(role) || (name === "" && /^(form|group)$/.test(role))) {
			return content(isNamed || role === "LabelText");
		}
		if (role === "LineBreak") return [{ text: "" }];
		if (isNamed && /^(StaticText|image)$/.test(role)) return [];
		if (role === "StaticText") return [{ text: node.box === node.block ? name : ` ${name} `, block: node.block }];
		const lines = role === "Iframe" ? (inside.get(name) ?? []) : joined(content(named.has(role)));
		const isEmpty = lines.length === 0 && role !== "Iframe" && !named.has(role);
		return isEmpty ? [] : [spoken(node), ...lines.map((line) => `  ${line}`)].map((text) => ({ text }));
	}

	return tree[0] ? joined(itemsOf(tree[0], false)) : [];
}

/** Joins the adjacent texts of a block. */
function joined(items: Item[]): string[] {
	const lines: string[] = [];
	items.forEach(({ text, block }, index) => {
		const isJoined = block !== undefined && block === items[index - 1]?.block;
		const line = isJoined ? `${lines.pop()}${text}` : text;
		lines.push(block === undefined ? line : line.trimStart().replaceAll(/\s+/g, " "));
	});
	return lines.map((line) => line.trimEnd()).filter((line) => line !== "");
}
