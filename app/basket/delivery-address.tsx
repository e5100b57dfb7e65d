import { CustomerName } from "#app/auth/customer-name.tsx";
import { deliveryAddress } from "#app/brand.ts";

export function DeliveryAddress() {
	return (
		<address translate="no">
			<div>
				<CustomerName />
			</div>
			<bdi>{deliveryAddress.join(", ")}</bdi>
		</address>
	);
}
