/** The message while the shop fails, for example because D1 does not respond. */
export const unavailable = "The shop isn't responding right now. Please try again.";
