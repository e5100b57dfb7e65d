-- A session is valid until expires_at, which is at most 90 days after created_at.
UPDATE `sessions` SET `expires_at` = `created_at` + 7776000 WHERE `expires_at` > `created_at` + 7776000;
