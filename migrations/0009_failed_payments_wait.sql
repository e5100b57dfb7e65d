ALTER TABLE `unresolved_payments` RENAME COLUMN "attempted_at" TO "due_at";--> statement-breakpoint
DROP INDEX `unresolved_payments_by_attempt`;--> statement-breakpoint
ALTER TABLE `unresolved_payments` ADD `failure` text;--> statement-breakpoint
CREATE INDEX `unresolved_payments_due` ON `unresolved_payments` (`due_at`);