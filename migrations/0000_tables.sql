-- WITHOUT ROWID, which drizzle-kit cannot write, stores each item in its primary key's index instead of in a second tree.
CREATE TABLE `order_items` (
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
	CONSTRAINT "order_items_position" CHECK("order_items"."position" between 0 and 199),
	CONSTRAINT "order_items_price_cents" CHECK("order_items"."price_cents" between 1 and 99999999),
	CONSTRAINT "order_items_rating" CHECK("order_items"."rating" between 3 and 5),
	CONSTRAINT "order_items_quantity" CHECK("order_items"."quantity" between 1 and 200)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `orders` (
	`payment_intent_id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`guest_token_hash` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`created` integer NOT NULL,
	`placed_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "orders_amount" CHECK("orders"."amount" between 50 and 99999999),
	CONSTRAINT "orders_status" CHECK("orders"."status" in ('placed', 'paid', 'abandoned', 'refunded')),
	CONSTRAINT "orders_one_owner" CHECK("orders"."user_id" is null or "orders"."guest_token_hash" is null)
) STRICT;
--> statement-breakpoint
CREATE INDEX `orders_shown` ON `orders` (`user_id`,`created`,`payment_intent_id`) WHERE "orders"."status" in ('paid', 'refunded');--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`user_id`,`placed_at`) WHERE "orders"."status" = 'placed';--> statement-breakpoint
CREATE INDEX `orders_of_guest` ON `orders` (`guest_token_hash`);--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`status`,`due_at`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`price_cents` integer NOT NULL,
	`rating` integer NOT NULL,
	`image` text NOT NULL,
	`description` text NOT NULL,
	`details` text DEFAULT '{"pictures":[],"specifications":[],"box":[]}' NOT NULL,
	`status` text DEFAULT 'available' NOT NULL,
	CONSTRAINT "products_status" CHECK("products"."status" in ('available', 'sold_out')),
	CONSTRAINT "products_details" CHECK(json_valid("products"."details")),
	CONSTRAINT "products_price_cents" CHECK("products"."price_cents" between 1 and 99999999),
	CONSTRAINT "products_rating" CHECK("products"."rating" between 3 and 5)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `products_position_unique` ON `products` (`position`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_intent_id` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text NOT NULL,
	`created` integer NOT NULL,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount" between 1 and 99999999),
	CONSTRAINT "refunds_status" CHECK("refunds"."status" in ('pending', 'succeeded', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `refunds_of_payment` ON `refunds` (`payment_intent_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);