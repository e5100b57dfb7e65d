#!/bin/sh
# Calls the emulator with curl, as Stripe's documentation does. Prints "ok NAME" or "FAIL NAME RESPONSE" for each call.
# Environment: PORT.
api="http://localhost:$PORT/v1"

# call NAME EXPECTED ARGUMENTS: the response, without spaces, must contain EXPECTED
call() {
	name=$1 expected=$2
	shift 2
	response=$(curl -s --max-time 20 "$@" -u sk_test_curl: | tr -d ' \n')
	case $response in
	*"$expected"*) echo "ok $name" ;;
	*) echo "FAIL $name $response" ;;
	esac
}
id() { echo "$response" | sed -E 's/^[^{]*\{"id":"([^"]*)".*/\1/'; }

call create '"status":"requires_payment_method"' "$api/payment_intents" -d amount=500 -d currency=usd \
	-d "automatic_payment_methods[enabled]=true" -d "automatic_payment_methods[allow_redirects]=never"
intent=$(id)
call retrieve "\"id\":\"$intent\"" "$api/payment_intents/$intent"
call update '"order":"6"' "$api/payment_intents/$intent" -d "metadata[order]=6"
call decline '"decline_code":"insufficient_funds"' "$api/payment_intents/$intent/confirm" \
	-d payment_method=pm_card_visa_chargeDeclinedInsufficientFunds
call confirm '"status":"succeeded"' "$api/payment_intents/$intent/confirm" -d payment_method=pm_card_visa
call list '"object":"list"' -G "$api/payment_intents" -d limit=3
call refunds '"object":"refund"' "$api/refunds" -d payment_intent="$intent"
call expand '"object":"charge"' -G "$api/payment_intents/$intent" -d "expand[]=latest_charge"
call customers '"email":"curl@example.com"' "$api/customers" --data-urlencode email=curl@example.com
call "delete a customer" '"deleted":true' -X DELETE "$api/customers/$(id)"
call "webhook endpoints" '"secret":"whsec_' "$api/webhook_endpoints" -d "enabled_events[]=refund.failed" \
	--data-urlencode url=https://example.com/
call "delete a webhook endpoint" '"deleted":true' -X DELETE "$api/webhook_endpoints/$(id)"
call idempotency '"amount":900' "$api/payment_intents" -d amount=900 -d currency=usd -H "Idempotency-Key: curl-$PORT"
first=$(id)
call "idempotency replay" "\"id\":\"$first\"" "$api/payment_intents" -d amount=900 -d currency=usd \
	-H "Idempotency-Key: curl-$PORT"
call "invalid request" '"code":"resource_missing"' "$api/payment_intents/pi_none"
