/** Why a feed closes a socket. 4000 to 4999 are for applications. */
export const closeCodes = { signedOut: 4001, tooMany: 4002 } as const;
