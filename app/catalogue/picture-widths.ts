// The widths of the files in public/pictures, in pixels. tools/art makes these files, and the pages choose from them.

/** A product's picture, which is square. */
export const product = [320, 640, 960, 1280];
/** The picture of a product that is alone in its row on the home page. It is twice as wide as high. */
export const wide = [640, 1200, 1600];
/** The banner, which is 25:9. */
export const hero = [960, 1440, 2000, 2880, 3840];
/** The banner on phones. */
export const tallHero = [480, 760, 960, 1200];
