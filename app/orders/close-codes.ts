/** The feed's WebSocket close codes. 4000 to 4999 are for private use. */
export const closeCodes = { signedOut: 4001, tooMany: 4002 } as const;
