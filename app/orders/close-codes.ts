/** Why a feed closes a socket, in the range of numbers that is left to applications. */
export const closeCodes = { signedOut: 4001, tooMany: 4002 } as const;
