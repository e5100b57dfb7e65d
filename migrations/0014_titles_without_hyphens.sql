-- A title must not break within a word or between a number and its unit.
UPDATE `products` SET `title` = replace('Stand mixer with a 5_L steel bowl, enamel red', '_', char(160)) WHERE `id` = '49538094';
--> statement-breakpoint
UPDATE `products` SET
	`title` = replace('49-inch super ultrawide curved monitor, dual QHD 5120_×_1440', '_', char(160))
WHERE `id` = '90829332';
