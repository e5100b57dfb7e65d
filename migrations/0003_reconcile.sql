ALTER TABLE `orders` RENAME COLUMN "checked_at" TO "due_at";--> statement-breakpoint
CREATE TABLE `unresolved_payments` (
	`payment_intent_id` text PRIMARY KEY NOT NULL,
	`created` integer NOT NULL,
	`attempts` integer NOT NULL,
	`attempted_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `unresolved_payments_by_attempt` ON `unresolved_payments` (`attempted_at`);--> statement-breakpoint
DROP INDEX `orders_to_check`;--> statement-breakpoint
ALTER TABLE `orders` ADD `attempt` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`status`,`due_at`);--> statement-breakpoint
ALTER TABLE `reconcile_cursor` ADD `event_created` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `reconcile_cursor` ADD `backfill_id` text;--> statement-breakpoint
CREATE INDEX `refunds_pending` ON `refunds` (`payment_intent_id`) WHERE "refunds"."status" = 'pending';