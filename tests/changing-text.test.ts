// A browser's translator replaces text nodes. If a text is its element's only child, React changes it by setting the
// content of the element. Beside other children, React writes to its text node, inserts elements before it or removes
// it: a node that is no longer in the page, so the old text stays, or React throws.
import { type ESTree, Visitor } from "vite";
import { expect, test } from "vitest";
import { parseSource, readSources } from "../tests/support/sources.ts";

/** The names of props and functions whose values are elements, never text. */
const elements = ["action", "actions", "children", "head", "loadPage", "picture", "pageStyles", "submitButton"];

test("text that changes is the only child of its element", () => {
	const sources = readSources("app").filter(({ path }) => path.endsWith(".tsx"));
	expect(sources.length).toBeGreaterThan(30);
	const faults = sources.flatMap(({ path, text }) => listFaults(text).map((fault) => [path, fault]));
	const cure =
		"Wrap each of these texts in an element of its own, such as <span>. The first lines of this file say why.";
	expect(faults, cure).toEqual([]);
});

test.each([
	"<p>Hello {name}</p>",
	"<p>{isNew ? 'New here?' : 'Welcome'}<a /></p>",
	"<p>{isBusy && <b />} Pay</p>",
	"<p>{names.map((name) => name)}</p>",
	"<p>{isNew && <>New</>}</p>",
])("%s breaks this rule", (source) => {
	expect(listFaults(source)).toHaveLength(1);
});

test.each([
	"<p>{name}</p>",
	"<p>{'Hello ' + name}</p>",
	"<p>Hello <b>{name}</b></p>",
	"<p>Pay {isBusy && <b />}</p>",
	"<p>{names.map((name) => <b>{name}</b>)}{children}</p>",
	"<p>{isPaid ? 'Paid' : <b />}</p>",
	"const error = text && <b>{text}</b>; <p>{error}<b /></p>",
])("%s keeps it", (source) => {
	expect(listFaults(source)).toEqual([]);
});

/** Returns the source of each element's children that break the rule. */
function listFaults(source: string): string[] {
	const program = parseSource({ path: ".tsx", text: source });
	const constants = new Map<string, ESTree.Expression>();
	const faults: string[] = [];
	new Visitor({
		VariableDeclarator({ id, init }) {
			if (id.type === "Identifier" && init) constants.set(id.name, init);
		},
	}).visit(program);
	new Visitor({
		"JSXElement:exit": ({ children }) => check(children.filter(isRendered), false),
		"JSXFragment:exit": ({ children }) => check(children.filter(isRendered), true),
	}).visit(program);
	return faults;

	/** A fragment's text may be removed from, or get siblings in, any element that contains the fragment. */
	function check(children: ESTree.JSXChild[], isFragment: boolean): void {
		const isBeside = isFragment || children.length > 1;
		let mayInsert = isFragment;
		for (const child of children) {
			const expression = child.type === "JSXExpressionContainer" ? child.expression : null;
			const isText = child.type === "JSXText" || expression?.type === "Literal";
			const isFault = isText ? mayInsert : expression && (isBeside || isMap(expression)) && mayBeText(expression);
			if (isFault) faults.push(children.map(({ start, end }) => source.slice(start, end).trim()).join(" "));
			if (isFault) return;
			if (expression && !isText) mayInsert = true;
		}
	}

	function mayBeText(node: ESTree.Node): boolean {
		switch (node.type) {
			case "JSXElement":
			case "JSXFragment":
				return false;
			case "Literal":
				return typeof node.value === "string" || typeof node.value === "number";
			case "ParenthesizedExpression":
			case "ChainExpression":
				return mayBeText(node.expression);
			case "ConditionalExpression":
				return mayBeText(node.consequent) || mayBeText(node.alternate);
			case "LogicalExpression":
				return (node.operator !== "&&" && mayBeText(node.left)) || mayBeText(node.right);
			case "ArrowFunctionExpression":
				return mayBeText(node.body);
			case "ArrayExpression":
				return node.elements.some((element) => element && mayBeText(element));
			case "CallExpression":
				return mayBeText((isMap(node) && node.arguments[0]) || node.callee);
			case "Identifier": {
				const value = constants.get(node.name);
				return value ? mayBeText(value) : !elements.includes(node.name);
			}
			default:
				return true;
		}
	}
}

function isMap(node: ESTree.Node): boolean {
	if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
	return "name" in node.callee.property && node.callee.property.name === "map";
}

/** Returns whether a child is not only a line break between elements, and not a comment. */
function isRendered(child: ESTree.JSXChild): boolean {
	if (child.type === "JSXText") return child.value.trim() !== "" || !child.value.includes("\n");
	return child.type !== "JSXExpressionContainer" || child.expression.type !== "JSXEmptyExpression";
}
