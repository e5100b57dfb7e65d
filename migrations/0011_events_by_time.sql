-- a backfill had not read all older events: read the last 30 days again
UPDATE `reconcile_cursor` SET `event_created` = 0 WHERE `backfill_id` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `reconcile_cursor` DROP COLUMN `event_id`;--> statement-breakpoint
ALTER TABLE `reconcile_cursor` DROP COLUMN `backfill_id`;
