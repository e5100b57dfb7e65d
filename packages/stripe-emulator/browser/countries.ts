/** The ISO codes of the countries that a billing address can have. */
const codes =
	"ACADAEAFAGAIALAMAOAQARATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACDCFCGCHCICKCLCMCNCOCRCVCWCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHNHRHTHUIDIEILIMINIOIQISITJEJMJOJPKEKGKHKIKMKNKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMKMLMMMNMOMQMRMSMTMUMVMWMXMYMZNANCNENGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPYQARERORSRURWSASBSCSESGSHSISJSKSLSMSNSOSRSSSTSVSXSZTATCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUSUYUZVAVCVEVGVNVUWFWSXKYEYTZAZMZW";

/** Returns the codes and names of the countries in a language, sorted by name. */
export function countries(language: string, allowed: readonly string[] | null | undefined) {
	const names = new Intl.DisplayNames(language, { type: "region" });
	const { compare } = new Intl.Collator(language);
	return (codes.match(/../g) ?? [])
		.filter((code) => allowed?.includes(code) ?? true)
		.map((code) => ({ code, name: names.of(code) ?? code }))
		.sort((one, other) => compare(one.name, other.name));
}
