import { CustomerName } from "#app/auth/customer-name.tsx";
import { CheckingNotice } from "#app/basket/checking-notice.tsx";
import { RemovableItems } from "#app/basket/removable-items.tsx";
import { Subtotal } from "#app/basket/subtotal.tsx";
import { shopName } from "#app/brand.ts";
import { PageTags } from "#app/frame/page-tags.tsx";
import { useIsPaying } from "#app/tab/tab.ts";
import { pageStyles } from "#app/ui/page-styles.tsx";
import stylesheet from "./items.css?url";

const styles = pageStyles(stylesheet);

export default function Checkout() {
	return (
		<div className="wrap page">
			<PageTags title="Your basket" description={`Review your basket at ${shopName} and check out.`} />
			{styles}
			<p className="greeting">
				Hello <CustomerName />
			</p>
			<h1>Your basket</h1>
			{useIsPaying() && <CheckingNotice />}
			<div className="split">
				<RemovableItems />
				<Subtotal />
			</div>
		</div>
	);
}
