/** Splits the products into rows of 2, 3 and 1, repeatedly. The last products, if at most three, share a row. */
export function splitIntoRows<Product>(products: Product[], [size = 0, ...sizes] = [2, 3, 1]): Product[][] {
	if (products.length <= 3) return products.length > 0 ? [products] : [];
	return [products.slice(0, size), ...splitIntoRows(products.slice(size), [...sizes, size])];
}
