/** The feed's WebSocket close code after a session has ended. Codes from 4000 to 4999 are for private use. */
export const signedOut = 4001;
