ALTER TABLE `sessions` DROP COLUMN `created_at`;
