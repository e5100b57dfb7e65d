/** The banner by day, or by night for the dark theme. */
type Time = "" | "-night";

/** Phones show the tall picture. */
const phone = "(width < 40em)";
/** In windows narrower than 50em, the stylesheet crops a third of the wide picture's width. */
const wideSizes = "(width < 50em) 150vw, 100vw";

const wide = (time: Time) =>
	[960, 1440, 2000, 2880].map((width) => `/pictures/hero${time}-${width}.avif ${width}w`).join(", ");
const tall = (time: Time) =>
	[480, 760, 960, 1200].map((width) => `/pictures/hero-tall${time}-${width}.avif ${width}w`).join(", ");

/** Returns the files to preload, for the system's theme. A visitor whose saved theme differs preloads one picture in
 *  vain. A script in the head that preloaded the saved theme's picture would wait for the stylesheets before it, so the
 *  picture would start later for every visitor. */
export function listHeroFiles() {
	return (["", "-night"] as const).flatMap((time) => {
		const scheme = time ? "dark" : "light";
		return [
			{ scheme, media: phone, href: `/pictures/hero-tall${time}-760.avif`, srcSet: tall(time), sizes: "100vw" },
			{
				scheme,
				media: "(width >= 40em)",
				href: `/pictures/hero${time}-1440.avif`,
				srcSet: wide(time),
				sizes: wideSizes,
			},
		];
	});
}

/** Renders one of the two banners. The stylesheet hides the other theme's banner, which is lazy so that it is not loaded. */
export function Hero({ time }: { time: Time }) {
	return (
		<picture className={`hero-picture${time}`}>
			<source media={phone} type="image/avif" srcSet={tall(time)} sizes="100vw" width="760" height="929" />
			<source type="image/avif" srcSet={wide(time)} sizes={wideSizes} />
			<source media={phone} srcSet={`/pictures/hero-tall${time}-760.webp`} width="760" height="929" />
			<img
				src={`/pictures/hero${time}-1440.webp`}
				width="2000"
				height="720"
				alt=""
				loading="lazy"
				fetchPriority="high"
			/>
		</picture>
	);
}
