/** What the shopper is told if the shop has failed, as while D1 does not respond. */
export const unavailable = "The shop isn't responding right now. Please try again.";
