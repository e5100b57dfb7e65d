DROP INDEX `orders_of_customer`;--> statement-breakpoint
CREATE INDEX `orders_shown` ON `orders` (`user_id`,`created`,`payment_intent_id`) WHERE "orders"."status" in ('paid', 'refunded');--> statement-breakpoint
CREATE INDEX `orders_waiting` ON `orders` (`user_id`,`placed_at`) WHERE "orders"."status" = 'placed';