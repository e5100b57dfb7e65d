"""Calls the emulator with stripe-python, which is configured with an address only. Prints "ok NAME" or "FAIL NAME
REASON" for each call. Environment: PORT, PAYLOAD and SIGNATURE of a webhook."""
import os

import stripe

stripe.api_key = "sk_test_any"
stripe.api_base = "http://localhost:" + os.environ["PORT"]
usd = {"amount": 500, "currency": "usd", "automatic_payment_methods": {"enabled": True, "allow_redirects": "never"}}
pay = {"confirm": True, "payment_method": "pm_card_visa"}


def call(work):
    name = work.__name__.replace("_", " ")
    try:
        work()
        print("ok", name)
    except Exception as error:  # every error is reported with its call
        print("FAIL", name, type(error).__name__, str(error).replace("\n", " "))


intent = stripe.PaymentIntent.create(**usd)
charged = stripe.PaymentIntent.create(**{**usd, **pay, "amount": 2000, "currency": "eur"})


@call
def create():
    assert intent.status == "requires_payment_method"


@call
def retrieve():
    assert stripe.PaymentIntent.retrieve(intent.id).amount == 500


@call
def update():
    updated = stripe.PaymentIntent.modify(intent.id, amount=600, metadata={"order": "6"})
    assert (updated.amount, updated.metadata.order) == (600, "6")


@call
def decline():
    try:
        stripe.PaymentIntent.confirm(intent.id, payment_method="pm_card_visa_chargeDeclinedInsufficientFunds")
    except stripe.error.CardError as error:
        assert error.error.decline_code == "insufficient_funds"
    else:
        raise AssertionError("was not declined")


@call
def confirm():
    assert stripe.PaymentIntent.confirm(intent.id, payment_method="pm_card_visa").status == "succeeded"


@call
def cancel():
    assert stripe.PaymentIntent.cancel(stripe.PaymentIntent.create(**usd).id).status == "canceled"


@call
def capture():
    held = stripe.PaymentIntent.create(**usd, **pay, capture_method="manual")
    assert held.status == "requires_capture"
    assert stripe.PaymentIntent.capture(held.id, amount_to_capture=300).amount_received == 300


@call
def list_with_auto_paging():
    ids = {each.id for each in stripe.PaymentIntent.list(limit=1).auto_paging_iter()}
    assert len(ids) >= 4


@call
def refunds():
    refund = stripe.Refund.create(payment_intent=charged.id, amount=500)
    assert stripe.Refund.retrieve(refund.id).status == "succeeded"


@call
def charges():
    assert stripe.Charge.list(payment_intent=charged.id).data[0].amount_refunded == 500


@call
def events():
    event = stripe.Event.list(type="charge.refunded", limit=1).data[0]
    assert stripe.Event.retrieve(event.id).type == "charge.refunded"


@call
def customers():
    customer = stripe.Customer.create(email="py@example.com")
    assert stripe.Customer.modify(customer.id, name="Jo").name == "Jo"
    assert stripe.Customer.list(email="py@example.com").data[0].id == customer.id
    assert stripe.Customer.delete(customer.id).deleted


@call
def payment_methods():
    customer = stripe.Customer.create()
    method = stripe.PaymentMethod.attach("pm_card_mastercard", customer=customer.id)
    assert [each.id for each in stripe.PaymentMethod.list(customer=customer.id, type="card")] == [method.id]
    assert stripe.PaymentMethod.detach(method.id).customer is None


@call
def setup_intents():
    customer = stripe.Customer.create()
    automatic = usd["automatic_payment_methods"]
    setup = stripe.SetupIntent.create(customer=customer.id, automatic_payment_methods=automatic, **pay)
    assert setup.status == "succeeded"


@call
def disputes():
    disputed = stripe.PaymentIntent.create(**{**usd, **pay, "payment_method": "pm_card_createDispute"})
    dispute = stripe.Dispute.list(payment_intent=disputed.id).data[0]
    assert stripe.Dispute.close(dispute.id).status == "lost"


@call
def webhook_endpoints():
    endpoint = stripe.WebhookEndpoint.create(url="https://example.com/", enabled_events=["refund.failed"])
    assert endpoint.secret.startswith("whsec_")
    assert stripe.WebhookEndpoint.modify(endpoint.id, disabled=True).status == "disabled"
    assert stripe.WebhookEndpoint.delete(endpoint.id).deleted


@call
def balance_transactions():
    assert stripe.BalanceTransaction.list(type="refund").data[0].amount == -500


@call
def expand():
    assert stripe.PaymentIntent.retrieve(charged.id, expand=["latest_charge"]).latest_charge.paid


@call
def idempotency():
    key = "python-" + os.environ["PORT"]
    first, second = [stripe.PaymentIntent.create(**usd, idempotency_key=key) for _ in range(2)]
    assert first.id == second.id


@call
def invalid_request():
    try:
        stripe.PaymentIntent.retrieve("pi_none")
    except stripe.error.InvalidRequestError as error:
        assert error.code == "resource_missing"
    else:
        raise AssertionError("was found")


@call
def webhook_signature():
    signature = os.environ["SIGNATURE"]
    assert stripe.Webhook.construct_event(os.environ["PAYLOAD"], signature, "whsec_emulator").object == "event"
