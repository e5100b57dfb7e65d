/** The limits of a new password's length, in characters. */
export const minPasswordLength = 8;
export const maxPasswordLength = 128;
