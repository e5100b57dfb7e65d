/** The source expression that lets an inline script or style of this very text through a Content-Security-Policy. */
export async function hashOf(inlineText: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inlineText));
	return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
