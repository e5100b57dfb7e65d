-- The six products. Their ids, prices and ratings are specified. A title must not break between a number and its unit:
-- each _ becomes a no-break space.
INSERT INTO `products` (`id`, `position`, `title`, `price_cents`, `rating`, `image`, `description`, `details`) VALUES
	('12321341', 1, 'The Steady Business: small habits that build companies that last, by Mara Ellington', 1196, 5, '/pictures/book-640.webp',
		'Twelve short chapters on the unglamorous habits that keep a company going: paying on time, answering letters, knowing what a day costs. Each ends with one thing to try on Monday. 224 pages in a sewn binding that lies flat on a desk.',
		json('{
			"chosen": "Each chapter ends with something you can try on Monday, and none of it needs an investor; it isn''t for anyone in a hurry to get rich.",
			"pictures": [
				{ "image": "/pictures/book-640.webp", "alt": "Front cover and spine of the standing book, with a rising bar chart in blue and yellow" },
				{ "image": "/pictures/book-5-640.webp", "alt": "The book lying open on a desk beside a cup of coffee, a pair of glasses and a pencil" },
				{ "image": "/pictures/book-2-640.webp", "alt": "The book open at chapter five, with its apricot ribbon; behind it, the back cover of a closed copy" },
				{ "image": "/pictures/book-3-640.webp", "alt": "Close-up of the top of the spine, with the striped headband and the sewn sections of pages" },
				{ "image": "/pictures/book-4-640.webp", "alt": "The closed book beside a pencil, for scale" }
			],
			"specifications": [
				{ "name": "Author", "value": "Mara Ellington, a fictional person" },
				{ "name": "Pages", "value": "224, numbered" },
				{ "name": "Chapters", "value": "12, with one habit each" },
				{ "name": "Format", "value": "Hardcover, 6.1 × 9.3 × 1 in (15.5 × 23.5 × 2.5 cm)" },
				{ "name": "Weight", "value": "1.1 lb (500 g)" },
				{ "name": "Binding", "value": "Sewn in 14 sections, with a striped headband and a ribbon" },
				{ "name": "Paper", "value": "Cream, uncoated" },
				{ "name": "Power", "value": "None" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["The book", "A ribbon, sewn in"]
		}')),
	('49538094', 2, replace('Stand mixer with a 5_L steel bowl, enamel red', '_', char(160)), 23900, 4, '/pictures/mixer-640.webp',
		'Cast body, planetary action, six speeds. The bowl holds dough for two loaves, and the head locks up with one hand so the other can scrape. Comes with a beater, a whisk and a dough hook. The enamel wipes clean.',
		json('{
			"chosen": "It kneads dough for two loaves without wandering off, but at 17.6 pounds it belongs on the counter, not in a cabinet.",
			"pictures": [
				{ "image": "/pictures/mixer-640.webp", "alt": "Red stand mixer with a steel bowl and a cream dial, from the left" },
				{ "image": "/pictures/mixer-5-640.webp", "alt": "The mixer on a kitchen counter, with dough and a rolling pin on a board in front of it and a bowl of eggs beside it" },
				{ "image": "/pictures/mixer-2-640.webp", "alt": "The mixer from behind, with the button that unlocks the head, and the power cord" },
				{ "image": "/pictures/mixer-3-640.webp", "alt": "The mixer with its head tilted up and the beater attached; the whisk and the dough hook lie in front of it" },
				{ "image": "/pictures/mixer-4-640.webp", "alt": "Close-up of the dial, with off and six speeds" }
			],
			"specifications": [
				{ "name": "Bowl", "value": "5.3 qt (5 liters), stainless steel, with a handle" },
				{ "name": "Speeds", "value": "6, from stir to whip" },
				{ "name": "Action", "value": "Planetary: the beater turns one way while it circles the other" },
				{ "name": "Materials", "value": "Cast aluminum with red enamel" },
				{ "name": "Size", "value": "13.4 × 8.9 × 13.8 in (34 × 22.5 × 35 cm), without the handle" },
				{ "name": "Weight", "value": "17.6 lb (8 kg), so it stays where you put it" },
				{ "name": "Power", "value": "325 W, 120 V" },
				{ "name": "Cleaning", "value": "Bowl, beater, whisk and hook in the dishwasher; the rest with a cloth" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["Stand mixer", "Steel bowl", "Flat beater", "Whisk", "Dough hook"]
		}')),
	('4903850', 3, replace('27-inch curved gaming monitor, 165_Hz', '_', char(160)), 19999, 3, '/pictures/monitor-640.webp',
		'A gentle curve, a matte screen and 165 frames per second keep fast games readable. Two HDMI ports and one DisplayPort; the stand tilts and lifts, but does not swivel.',
		json('{
			"chosen": "It keeps fast games readable at 165 Hz; the two missing stars are the stand, which doesn''t swivel, and the USB port that isn''t there.",
			"pictures": [
				{ "image": "/pictures/monitor-640.webp", "alt": "Curved 27-inch monitor on its stand, with a violet landscape on the screen" },
				{ "image": "/pictures/monitor-5-640.webp", "alt": "The monitor on a desk, with a keyboard and a mouse in front of it and a lamp beside it" },
				{ "image": "/pictures/monitor-2-640.webp", "alt": "The back of the monitor, with its ports, its cooling slots and a hole in the stand for the cables" },
				{ "image": "/pictures/monitor-3-640.webp", "alt": "Close-up of the ports on the back: power, one DisplayPort and two HDMI" },
				{ "image": "/pictures/monitor-4-640.webp", "alt": "The monitor from the left, with its screen lifted and tilted back" }
			],
			"specifications": [
				{ "name": "Screen", "value": "27 in (69 cm) diagonal, 16:9, matte" },
				{ "name": "Resolution", "value": "2560 × 1440 (QHD)" },
				{ "name": "Refresh rate", "value": "165 Hz" },
				{ "name": "Curve", "value": "1250R: part of a circle with a radius of 49 in (1.25 m)" },
				{ "name": "Ports", "value": "2 HDMI, 1 DisplayPort" },
				{ "name": "Stand", "value": "Tilts, and lifts 3.3 in (8.5 cm); does not swivel" },
				{ "name": "Size", "value": "24.4 × 18.3 × 7.5 in (62 × 46.5 × 19 cm), with the stand" },
				{ "name": "Desk space", "value": "9.8 × 7.5 in (25 × 19 cm) for the foot" },
				{ "name": "Weight", "value": "12.3 lb (5.6 kg)" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["Monitor", "Stand", "Power cord", "DisplayPort cable"]
		}')),
	('23445930', 4, 'Smart speaker, third generation, charcoal cloth', 9899, 5, '/pictures/speaker-640.webp',
		'Fills a kitchen without shouting. A ring of light shows when it is listening, and one button on top makes sure that it isn''t. Woven cloth, four microphones, and a plug that fits behind the bread box.',
		json('{
			"chosen": "One button turns off all four microphones, and the light shows when they''re on; it fills a kitchen, but not a party.",
			"pictures": [
				{ "image": "/pictures/speaker-640.webp", "alt": "Barrel-shaped speaker in charcoal cloth, with a ring of light on top" },
				{ "image": "/pictures/speaker-5-640.webp", "alt": "The speaker on a kitchen counter in front of a bread box, beside a cup of coffee that is nearly as high" },
				{ "image": "/pictures/speaker-2-640.webp", "alt": "The speaker from above: a button in the middle, with four microphones and the ring of light around it" },
				{ "image": "/pictures/speaker-3-640.webp", "alt": "Close-up of the woven cloth, the ring of light, the button and the microphones" },
				{ "image": "/pictures/speaker-4-640.webp", "alt": "The speaker from behind, with its power cord and plug" }
			],
			"specifications": [
				{ "name": "Sound", "value": "One 3-inch woofer and one tweeter" },
				{ "name": "Microphones", "value": "4, with one button that turns them all off" },
				{ "name": "Light", "value": "Amber ring, on only while it listens" },
				{ "name": "Wireless", "value": "Wi-Fi 6 and Bluetooth 5.3" },
				{ "name": "Ports", "value": "None: the cord stays in" },
				{ "name": "Materials", "value": "Woven polyester cloth in charcoal" },
				{ "name": "Size", "value": "5.4 in wide, 4.5 in high (13.6 × 11.4 cm)" },
				{ "name": "Weight", "value": "2.1 lb (950 g)" },
				{ "name": "Power", "value": "15 W, 120 V" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["Smart speaker, with its cord", "Card with the three things worth saying to it"]
		}')),
	('3254354345', 5, replace('12.9-inch tablet, 128_GB, silver', '_', char(160)), 59899, 4, '/pictures/tablet-640.webp',
		'A screen the size of a magazine page in a body thinner than a pencil. It draws, films, reads aloud, and lasts a working day on one charge. 128 GB is enough for every book you meant to read.',
		json('{
			"chosen": "The screen shows a full magazine page and the battery lasts a working day, but both cameras are on the back, so take video calls elsewhere.",
			"pictures": [
				{ "image": "/pictures/tablet-640.webp", "alt": "The front and the silver back of the tablet on aluminum stands, with two cameras on the back" },
				{ "image": "/pictures/tablet-5-640.webp", "alt": "The tablet upright in a wooden holder on a kitchen counter, with a recipe for bread on its screen" },
				{ "image": "/pictures/tablet-2-640.webp", "alt": "The tablet lying flat, with soft colors on its screen" },
				{ "image": "/pictures/tablet-3-640.webp", "alt": "Close-up of the thin bottom edge, with a USB-C port between two rows of speaker holes" },
				{ "image": "/pictures/tablet-4-640.webp", "alt": "The tablet in landscape on its stand, with two pages of a book on its screen" }
			],
			"specifications": [
				{ "name": "Screen", "value": "12.9 in (33 cm) diagonal, 2560 × 1920" },
				{ "name": "Refresh rate", "value": "60 Hz" },
				{ "name": "Storage", "value": "128 GB" },
				{ "name": "Battery", "value": "10 hours" },
				{ "name": "Cameras", "value": "2 on the back" },
				{ "name": "Ports", "value": "1 USB-C, between two speakers" },
				{ "name": "Materials", "value": "Aluminum and glass" },
				{ "name": "Size", "value": "8.5 × 11.1 × 0.25 in (21.5 × 28.1 × 0.64 cm)" },
				{ "name": "Weight", "value": "1.4 lb (640 g)" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["Tablet", "USB-C charger", "USB-C cable"]
		}')),
	('90829332', 6, replace('49-inch super ultrawide curved monitor, dual QHD 5120_×_1440', '_', char(160)), 109498, 4, '/pictures/ultrawide-640.webp',
		'Two desks'' worth of screen without the seam: 5120 by 1440 pixels on one long curve, so a timeline, a score or a very long table fits from edge to edge. Needs four feet of desk, and a strong one.',
		json('{
			"chosen": "A whole timeline fits without a seam, if your desk has four feet to spare; for one window at a time, it''s too much screen.",
			"pictures": [
				{ "image": "/pictures/ultrawide-640.webp", "alt": "Curved 49-inch monitor on its stand, with a teal landscape on the screen" },
				{ "image": "/pictures/ultrawide-5-640.webp", "alt": "The 49-inch monitor on a desk, three times as wide as the keyboard in front of it; a chair stands at the desk" },
				{ "image": "/pictures/ultrawide-2-640.webp", "alt": "The monitor from above, where the depth of its curve shows" },
				{ "image": "/pictures/ultrawide-3-640.webp", "alt": "The back of the monitor, with its ports and its stand" },
				{ "image": "/pictures/ultrawide-4-640.webp", "alt": "The 49-inch monitor behind the 27-inch monitor: about the same height, and twice the width" }
			],
			"specifications": [
				{ "name": "Screen", "value": "49 in (124 cm) diagonal, 32:9, matte" },
				{ "name": "Resolution", "value": "5120 × 1440 (dual QHD)" },
				{ "name": "Refresh rate", "value": "120 Hz" },
				{ "name": "Curve", "value": "1800R: part of a circle with a radius of 71 in (1.8 m)" },
				{ "name": "Ports", "value": "2 HDMI, 1 DisplayPort" },
				{ "name": "Stand", "value": "Tilts, and lifts 3.3 in (8.5 cm); does not swivel" },
				{ "name": "Size", "value": "46.6 × 18.2 × 9.6 in (118.5 × 46.5 × 24.5 cm), with the stand" },
				{ "name": "Desk space", "value": "13.4 × 9.1 in (34 × 23 cm) for the foot" },
				{ "name": "Weight", "value": "29.8 lb (13.5 kg); lift it with a friend" },
				{ "name": "Warranty", "value": "None, because this shop is a demo" }
			],
			"box": ["Monitor", "Stand", "Power cord", "DisplayPort cable"]
		}'));
