/** Replaces the package prop-types, which React ignores since version 19. */
export default { func: {} };
