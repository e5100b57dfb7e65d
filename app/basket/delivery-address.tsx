import { CustomerName } from "#app/auth/customer-name.tsx";
import { deliveryAddress } from "#app/brand.ts";

export function DeliveryAddress() {
	return (
		<address translate="no">
			<CustomerName />
			{deliveryAddress.map((line) => (
				<div key={line}>
					<bdi>{line}</bdi>
				</div>
			))}
		</address>
	);
}
