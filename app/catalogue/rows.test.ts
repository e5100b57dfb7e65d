import { expect, test } from "vitest";
import { splitIntoRows } from "./rows.ts";

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
	[0, []],
	[1, [1]],
	[3, [3]],
	[4, [2, 2]],
	[6, [2, 3, 1]],
	[7, [2, 3, 2]],
	[9, [2, 3, 1, 3]],
	[12, [2, 3, 1, 2, 3, 1]],
])("splitIntoRows splits %i products into rows of %j", (count, lengths) => {
	expect(splitIntoRows(indexes(count)).map(({ length }) => length)).toEqual(lengths);
});

test("splitIntoRows keeps the order in rows of 1 to 3, with only a sixth product or the only one alone", () => {
	for (let count = 1; count <= 30; count++) {
		const rows = splitIntoRows(indexes(count));
		expect(rows.flat()).toEqual(indexes(count));
		for (const { length } of rows) expect([1, 2, 3]).toContain(length);
		const alone = rows.filter(({ length }) => length === 1).flat();
		expect(alone.filter((index) => index % 6 < 5)).toEqual(count === 1 ? [0] : []);
	}
});
