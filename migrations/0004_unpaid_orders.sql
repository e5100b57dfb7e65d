ALTER TABLE `order_items` ADD `quantity` integer DEFAULT 1 NOT NULL CONSTRAINT "order_items_quantity" CHECK("quantity" between 1 and 200);--> statement-breakpoint
ALTER TABLE `orders` ADD `placed_from` text;--> statement-breakpoint
CREATE INDEX `orders_placed_from` ON `orders` (`placed_from`) WHERE "orders"."status" = 'placed';
