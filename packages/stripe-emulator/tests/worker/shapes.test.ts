import { beforeAll, expect, test } from "vitest";
import { postFromBrowser, stripe } from "../support/emulator.ts";

/** The properties of the objects in Stripe's published OpenAPI fixtures (openapi/fixtures3.json of stripe/openapi). Not
 *  listed: properties that API version 2026-10-28.endive no longer has or sends only if they apply. */
const published: Readonly<Record<string, string>> = {
	balance_transaction: `amount available_on created currency description exchange_rate fee fee_details id net object
		reporting_category source status type`,
	charge: `amount amount_captured amount_refunded application application_fee application_fee_amount
		balance_transaction billing_details.address.city billing_details.address.country billing_details.address.line1
		billing_details.address.line2 billing_details.address.postal_code billing_details.address.state
		billing_details.email billing_details.name billing_details.phone calculated_statement_descriptor captured created
		currency customer description disputed failure_balance_transaction failure_code failure_message fraud_details id
		livemode metadata object on_behalf_of outcome paid payment_intent payment_method payment_method_details.card.brand
		payment_method_details.card.checks.address_line1_check
		payment_method_details.card.checks.address_postal_code_check payment_method_details.card.checks.cvc_check
		payment_method_details.card.country payment_method_details.card.exp_month payment_method_details.card.exp_year
		payment_method_details.card.fingerprint payment_method_details.card.funding
		payment_method_details.card.installments payment_method_details.card.last4 payment_method_details.card.mandate
		payment_method_details.card.network payment_method_details.card.three_d_secure payment_method_details.card.wallet
		payment_method_details.type receipt_email receipt_number receipt_url refunded review shipping source_transfer
		statement_descriptor statement_descriptor_suffix status transfer_data transfer_group`,
	customer: `address balance created default_source delinquent description email id invoice_prefix
		invoice_settings.custom_fields invoice_settings.default_payment_method invoice_settings.footer
		invoice_settings.rendering_options livemode metadata name object phone preferred_locales shipping tax_exempt
		test_clock`,
	dispute: `amount balance_transactions charge created currency evidence.access_activity_log evidence.billing_address
		evidence.cancellation_policy evidence.customer_communication evidence.customer_email_address
		evidence.customer_name evidence.customer_purchase_ip evidence.customer_signature
		evidence.duplicate_charge_documentation evidence.duplicate_charge_explanation evidence.duplicate_charge_id
		evidence.product_description evidence.receipt evidence.refund_policy evidence.refund_refusal_explanation
		evidence.service_date evidence.service_documentation evidence.shipping_address evidence.shipping_carrier
		evidence.shipping_date evidence.shipping_documentation evidence.shipping_tracking_number
		evidence.uncategorized_file evidence.uncategorized_text evidence_details.due_by evidence_details.has_evidence
		evidence_details.past_due evidence_details.submission_count id is_charge_refundable livemode metadata object
		payment_intent reason status`,
	event: `api_version created data.object id livemode object pending_webhooks request.id request.idempotency_key type`,
	payment_intent: `amount amount_capturable amount_received application application_fee_amount
		automatic_payment_methods canceled_at cancellation_reason capture_method client_secret confirmation_method created
		currency customer description id last_payment_error latest_charge livemode metadata next_action object
		on_behalf_of payment_method payment_method_options payment_method_types processing receipt_email review
		setup_future_usage shipping statement_descriptor statement_descriptor_suffix status transfer_group`,
	payment_method: `billing_details.address.city billing_details.address.country billing_details.address.line1
		billing_details.address.line2 billing_details.address.postal_code billing_details.address.state
		billing_details.email billing_details.name billing_details.phone card.brand card.checks.address_line1_check
		card.checks.address_postal_code_check card.checks.cvc_check card.country card.exp_month card.exp_year
		card.fingerprint card.funding card.generated_from card.last4 card.networks.available card.networks.preferred
		card.three_d_secure_usage.supported card.wallet created customer id livemode metadata object type`,
	"radar.early_fraud_warning": "actionable charge created fraud_type id livemode object",
	refund: `amount balance_transaction charge created currency id metadata object payment_intent reason receipt_number
		source_transfer_reversal status transfer_reversal`,
	setup_intent: `application cancellation_reason client_secret created customer description flow_directions id
		last_setup_error latest_attempt livemode mandate metadata next_action object on_behalf_of payment_method
		payment_method_options payment_method_types single_use_mandate status usage`,
	token: `card.address_city card.address_country card.address_line1 card.address_line1_check card.address_line2
		card.address_state card.address_zip card.address_zip_check card.brand card.country card.cvc_check
		card.dynamic_last4 card.exp_month card.exp_year card.fingerprint card.funding card.id card.last4 card.metadata
		card.name card.object card.tokenization_method client_ip created id livemode object type used`,
	webhook_endpoint: `api_version application created description enabled_events id livemode metadata object secret
		status url`,
};

/** The emulator's objects, by the value of their `object` property. */
const sent = new Map<string, unknown>();

beforeAll(async () => {
	const customer = await stripe.customers.create({ email: "customer@example.com" });
	const method = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
	const setup = await stripe.setupIntents.create({
		customer: customer.id,
		automatic_payment_methods: { enabled: true },
	});
	const pay = (payment_method: string) =>
		stripe.paymentIntents.create({
			amount: 1499,
			currency: "usd",
			confirm: true,
			payment_method,
			return_url: "https://example.com/",
			expand: ["latest_charge.balance_transaction"],
		});
	const intent = await pay("pm_card_visa");
	const charge = intent.latest_charge;
	if (!charge || typeof charge === "string") throw new Error("latest_charge is not expanded.");
	const refund = await stripe.refunds.create({ payment_intent: intent.id });
	await pay("pm_card_createDispute");
	await pay("pm_card_createIssuerFraudRecord");
	const [dispute] = (await stripe.disputes.list()).data;
	const [warning] = (await stripe.radar.earlyFraudWarnings.list()).data;
	const [event] = (await stripe.events.list()).data;
	const endpoint = await stripe.webhookEndpoints.create({ url: "https://example.com/", enabled_events: ["*"] });
	await stripe.webhookEndpoints.del(endpoint.id);
	const card = { number: "4242424242424242", exp_month: "12", exp_year: "2040", cvc: "123" };
	const form = Object.fromEntries(Object.entries(card).map(([name, value]) => [`card[${name}]`, value]));
	const { body: token } = await postFromBrowser<{ object: string }>("tokens", form);
	const transaction = charge.balance_transaction;
	for (const each of [
		customer,
		method,
		setup,
		intent,
		charge,
		transaction,
		refund,
		dispute,
		warning,
		event,
		endpoint,
	]) {
		if (each && typeof each !== "string") sent.set(each.object, each);
	}
	sent.set(token.object, token);
});

test.each(Object.entries(published))("%s has every property of Stripe's published fixture", (name, properties) => {
	const object = sent.get(name);
	expect(object).toBeDefined();
	for (const property of properties.split(/\s+/)) expect(object).toHaveProperty(property);
});
