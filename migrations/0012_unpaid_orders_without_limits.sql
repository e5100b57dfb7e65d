DROP INDEX `orders_placed_from`;--> statement-breakpoint
ALTER TABLE `orders` DROP COLUMN `placed_from`;
