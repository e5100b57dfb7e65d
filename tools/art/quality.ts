import type { Sharp } from "sharp";

/** The color of a shelf in the light theme, which shows through the transparent parts of product pictures. */
const shelf = "#e8eaef";
/** The side of the squares that are rated, in pixels. */
const side = 64;
/** The constants of SSIM for 8-bit values: Wang, Bovik, Sheikh and Simoncelli, 2004. */
const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
/** A Gaussian with a standard deviation of 1.5 pixels. */
const gauss = Array.from({ length: 11 }, (_, tap) => Math.exp(-((tap - 5) ** 2) / (2 * 1.5 ** 2)));
const sum = gauss.reduce((total, weight) => total + weight, 0);

/** Returns the SSIM of an encoded picture and its source, both of the same size, on a shelf: the mean of the squares
 *  that are not flat, and the worst of them. 1 means identical. */
export async function rate(source: Sharp, encoded: Sharp): Promise<{ mean: number; worst: number }> {
	const [a, b] = await Promise.all([readLuma(source), readLuma(encoded)]);
	const { width, height } = a;
	const smooth = (plane: Float32Array) => blur(blur(plane, 1), width);
	const smoothProduct = (one: Float32Array, other: Float32Array) =>
		smooth(one.map((value, at) => value * (other[at] ?? 0)));
	const [meanA, meanB] = [smooth(a.plane), smooth(b.plane)];
	const [aa, bb, ab] = [
		smoothProduct(a.plane, a.plane),
		smoothProduct(b.plane, b.plane),
		smoothProduct(a.plane, b.plane),
	];
	const squares: number[] = [];
	for (let top = 0; top + side <= height; top += side) {
		for (let left = 0; left + side <= width; left += side) {
			let [ssim, variance] = [0, 0];
			for (let y = top; y < top + side; y++) {
				for (let x = left; x < left + side; x++) {
					const at = y * width + x;
					const [m, n] = [meanA[at] ?? 0, meanB[at] ?? 0];
					const [varA, varB, cov] = [(aa[at] ?? 0) - m * m, (bb[at] ?? 0) - n * n, (ab[at] ?? 0) - m * n];
					ssim += ((2 * m * n + c1) * (2 * cov + c2)) / ((m * m + n * n + c1) * (varA + varB + c2));
					variance += varA;
				}
			}
			// flat squares always rate about 1
			if (variance / side ** 2 > 1) squares.push(ssim / side ** 2);
		}
	}
	return { mean: squares.reduce((total, square) => total + square, 0) / squares.length, worst: Math.min(...squares) };
}

async function readLuma(picture: Sharp): Promise<{ plane: Float32Array; width: number; height: number }> {
	const { data, info } = await picture
		.flatten({ background: shelf })
		.greyscale()
		.raw()
		.toBuffer({ resolveWithObject: true });
	return { plane: Float32Array.from(data), width: info.width, height: info.height };
}

/** Blurs along one axis: `step` is 1 for rows and the width for columns. */
function blur(plane: Float32Array, step: number): Float32Array {
	const blurred = new Float32Array(plane.length);
	for (const [tap, weight] of gauss.entries()) {
		const offset = (tap - 5) * step;
		const end = Math.min(plane.length, plane.length - offset);
		for (let at = Math.max(0, -offset); at < end; at++) {
			blurred[at] = (blurred[at] ?? 0) + (weight / sum) * (plane[at + offset] ?? 0);
		}
	}
	return blurred;
}
