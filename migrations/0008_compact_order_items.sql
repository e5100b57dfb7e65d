-- drizzle-kit cannot write WITHOUT ROWID, which stores each line in its primary key's index instead of in a second tree.
CREATE TABLE `compact_order_items` (
	`payment_intent_id` text NOT NULL,
	`position` integer NOT NULL,
	`product_id` text NOT NULL,
	`title` text NOT NULL,
	`image` text NOT NULL,
	`price_cents` integer NOT NULL,
	`rating` integer NOT NULL,
	`quantity` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`payment_intent_id`, `position`),
	FOREIGN KEY (`payment_intent_id`) REFERENCES `orders`(`payment_intent_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_items_position" CHECK("position" between 0 and 199),
	CONSTRAINT "order_items_price_cents" CHECK("price_cents" between 1 and 99999999),
	CONSTRAINT "order_items_rating" CHECK("rating" between 3 and 5),
	CONSTRAINT "order_items_quantity" CHECK("quantity" between 1 and 200)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `compact_order_items` SELECT
	`payment_intent_id`, `position`, `product_id`, `title`, `image`, `price_cents`, `rating`, `quantity`
FROM `order_items`;
--> statement-breakpoint
DROP TABLE `order_items`;
--> statement-breakpoint
ALTER TABLE `compact_order_items` RENAME TO `order_items`;
