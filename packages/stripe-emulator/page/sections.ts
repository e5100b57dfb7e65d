import type Stripe from "stripe";
import type { Entry } from "../controls/journal.ts";
import type { AccountState } from "../controls/state.ts";
import { formatNumber } from "../objects/card-number.ts";
import { testCards, whatHappens } from "../objects/cards.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import { action } from "./fields.ts";
import { type Content, type Html, html } from "./html.ts";
import { badge, list, type Row } from "./table.ts";
import { duration, money, pairs, time } from "./text.ts";

export function paymentsSection({ paymentIntents }: AccountState): Html {
	return list({
		id: "payments",
		heading: "Payment intents",
		columns: ["Id", "Amount", "Status", "Last error", "Metadata", "Created"],
		rows: paymentIntents.map(paymentRow),
		none: "None yet.",
	});
}

function paymentRow({
	id,
	amount,
	currency,
	status,
	last_payment_error,
	created,
	metadata,
}: Stripe.PaymentIntent): Row {
	const amountText = html`<span class="amount">${money(amount, currency)}</span>`;
	return {
		id,
		cells: [
			html`<code>${id}</code>`,
			amountText,
			badge(status),
			reason(last_payment_error),
			pairs(metadata),
			time(created),
		],
	};
}

function reason(error: Stripe.PaymentIntent.LastPaymentError | null): Content {
	if (!error) return "";
	return html`<span title="${error.message ?? ""}">${[error.code, error.decline_code].filter(Boolean).join(", ")}</span>`;
}

export function refundsSection({ refunds }: AccountState): Html {
	return list({
		id: "refunds",
		heading: "Refunds",
		columns: ["Id", "Amount", "Status", "Payment intent", "Reason", "Metadata", "Created"],
		rows: refunds.map((refund) => ({
			id: refund.id,
			cells: [
				html`<code>${refund.id}</code>`,
				html`<span class="amount">${money(refund.amount, refund.currency)}</span>`,
				badge(refund.status ?? "unknown"),
				html`<code>${idOf(refund.payment_intent)}</code>`,
				[refund.reason, refund.failure_reason].filter(Boolean).join(", "),
				pairs(refund.metadata ?? {}),
				time(refund.created),
			],
		})),
		none: "None yet.",
	});
}

function idOf(object: string | { id: string } | null): string {
	return typeof object === "string" ? object : (object?.id ?? "");
}

export function eventsSection({ events, now }: AccountState): Html {
	return list({
		id: "events",
		heading: "Events and their webhooks",
		columns: ["Event", "Webhook", "Send it", "About", "Created"],
		rows: events.map(({ event, delivery }) => ({
			id: event.id,
			cells: [
				html`<b>${event.type}</b><br><code>${event.id}</code>`,
				delivery ? deliveryText(delivery, now) : "",
				sendForm(event, delivery?.state === "pending" || delivery?.state === "held"),
				html`<code>${"id" in event.data.object ? event.data.object.id : ""}</code>`,
				time(event.created),
			],
		})),
		none: "None yet. Every change of a payment creates one.",
	});
}

function deliveryText({ state, attempts, answer, next_attempt }: Delivery, now: number): Content {
	const response = answer === null ? "" : html`<br>response ${answer}`;
	const left = next_attempt !== null && next_attempt > now ? `in ${duration(next_attempt - now)}` : "now";
	const next = next_attempt === null ? "" : html`<br>next attempt ${left}`;
	const count = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
	return html`<div class="delivery">${badge(state)} ${count}${response}${next}</div>`;
}

function sendForm({ id, type }: Stripe.Event, discardable: boolean): Html {
	const button = (control: string, label: string, more: Content = "") =>
		html`<button name="control" value="${control}" aria-label="${label} ${type} ${id}"${more}>${label}</button>`;
	return html`<div class="row-buttons">
<form method="post" action="${action}"><input type="hidden" name="event" value="${id}">
${button("send", "Send again")}${button("discard", "Discard", discardable ? "" : html` disabled`)}</form>
<form method="post" action="${action}"><input type="hidden" name="event" value="${id}"><input type="hidden" name="tampering" value="body">
${button("send", "Send tampered", html` title="With the body changed after it was signed"`)}</form></div>`;
}

export function journalSection({ journal }: AccountState): Html {
	return list({
		id: "journal",
		heading: "Journal of the API",
		columns: ["Time", "Caller", "Endpoint", "Status", "Replayed", "Fault", "Idempotency key", "Params"],
		rows: journal.map(journalRow),
		none: "No requests yet.",
	});
}

function journalRow(entry: Entry): Row {
	const { request_id, created, caller, endpoint, method, path, status, replayed, fault, idempotency_key, params } =
		entry;
	return {
		id: request_id,
		cells: [
			time(created),
			caller,
			html`<span title="${method} ${path}">${endpoint ?? `${method} ${path}`}</span>`,
			html`<span class="badge ${status < 400 ? "plain" : "bad"}">${status}</span>`,
			replayed ? "replayed" : "",
			fault === null ? "" : html`<span class="badge waiting">${fault}</span>`,
			html`<code>${idempotency_key ?? ""}</code>`,
			pairs(params),
		],
	};
}

/** Returns the list of test cards, which work with any future expiry and any security code. */
export function cardsSection(): Html {
	return list({
		id: "cards",
		heading: "Test cards",
		columns: ["Number", "Card", "What happens"],
		rows: testCards.map(({ number, label, outcome }) => ({
			id: `card-${number}`,
			cells: [html`<code class="number">${formatNumber(number)}</code>`, label, whatHappens(outcome)],
		})),
		none: "",
	});
}
