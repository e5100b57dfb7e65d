/** Returns the CSP hash source that allows this inline script or style. */
export async function hashOf(inlineText: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inlineText));
	return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
