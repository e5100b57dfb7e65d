import { createHash, generateKeyPairSync, sign } from "node:crypto";

const day = 24 * 60 * 60 * 1000;

/** Returns a self-signed certificate with only the fields that RFC 5280 requires, its key, and the hash of the public
 *  key for Chromium's --ignore-certificate-errors-spki-list. Browsers support HTTP/2 only over TLS. */
export function issueCertificate(host: string) {
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
	const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
	const name = sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from(host)))));
	const validity = sequence(time(Date.now() - day), time(Date.now() + day));
	const serialNumber = der(0x02, Buffer.from([1]));
	const body = sequence(serialNumber, ecdsaWithSha256, name, validity, name, publicKeyInfo);
	const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
	const certificate = sequence(body, ecdsaWithSha256, signature);
	return {
		key: privateKey.export({ type: "pkcs8", format: "pem" }),
		cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
		publicKeyHash: createHash("sha256").update(publicKeyInfo).digest("base64"),
	};
}

/** Encodes a value in DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const value = Buffer.concat(parts);
	const { length } = value;
	const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (ms: number) => der(0x17, Buffer.from(new Date(ms).toISOString().replace(/^..|[-:T]|\..*(?=Z)/g, "")));
