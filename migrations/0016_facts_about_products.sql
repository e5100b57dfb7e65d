-- Where a shopper looks for a fact, there is a fact.
UPDATE `products` SET `details` = replace(`details`, 'None: it does not exist', 'None, because this shop is a demo');
--> statement-breakpoint
UPDATE `products` SET
	`details` = replace(replace(replace(`details`,
		',"No miracles"', ''),
		'None needed; works during outages', 'None'),
		'Mara Ellington, who is made up too', 'Mara Ellington, a fictional person')
WHERE `id` = '12321341';
--> statement-breakpoint
UPDATE `products` SET `details` = replace(`details`, '10 hours, or one working day with lunch', '10 hours')
WHERE `id` = '3254354345';
