-- the 49-inch monitor has the same stand and more stars
UPDATE `products`
SET `description` = 'A gentle curve, a matte screen and 165 frames per second keep fast games readable. Two HDMI ports and one DisplayPort; the stand tilts and lifts, but does not swivel.'
WHERE `id` = '4903850';
