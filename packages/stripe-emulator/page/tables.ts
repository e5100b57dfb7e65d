import type Stripe from "stripe";
import type { Entry } from "../controls/journal.ts";
import type { AccountState } from "../controls/state.ts";
import { formatAmount } from "../objects/amount.ts";
import { formatNumber } from "../objects/card-number.ts";
import { describeOutcome, testCards } from "../objects/cards.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import { action } from "./fields.ts";
import { type Content, type Html, html } from "./html.ts";
import { duration, pairs, time } from "./text.ts";

/** The console's tables: payments, events with their webhooks, requests, and test cards. */

interface Table {
	id: string;
	heading: string;
	columns: readonly string[];
	/** Each row has an id that is unique in the page, so that an update can match it. Its first cell is its header. */
	rows: readonly { id: string; cells: readonly Content[] }[];
	/** The text of an empty table. */
	none: string;
}

export function paymentsTable({ paymentIntents, refunds }: AccountState): Html {
	return table({
		id: "payments",
		heading: "Payments",
		columns: ["Payment", "Amount", "Status", "Action", "Metadata", "Created"],
		rows: paymentIntents.map((intent) => {
			const { id, amount, currency, created, metadata, status } = intent;
			const refunded = refunds.filter(({ payment_intent }) => payment_intent === id);
			const left = refunded.reduce((sum, refund) => (refund.status === "failed" ? sum : sum - refund.amount), amount);
			return {
				id,
				cells: [
					html`<code>${id}</code>`,
					html`<span class="amount">${formatAmount(amount, currency)}</span>`,
					[badge(status), errorText(intent), refunded.map(refundText), receiptText(intent)],
					status === "succeeded" && left > 0 ? refundForm(id, left) : "",
					pairs(metadata),
					time(created),
				],
			};
		}),
		none: "No payments yet.",
	});
}

function errorText({ last_payment_error: error }: Stripe.PaymentIntent): Content {
	if (!error) return "";
	return html` <span title="${error.message ?? ""}">${[error.code, error.decline_code].filter(Boolean).join(", ")}</span>`;
}

function refundText({ amount, currency, status }: Stripe.Refund): Html {
	return html`<br>Refund of ${formatAmount(amount, currency)}: ${status ?? "unknown"}`;
}

function receiptText({ receipt_email: email }: Stripe.PaymentIntent): Content {
	return email ? html`<br>Receipt (not sent): ${email}` : "";
}

/** Returns the form that refunds `left` cents, or fewer. */
function refundForm(id: string, left: number): Html {
	return html`<form method="post" action="${action}" class="row-buttons">
<input type="hidden" name="payment_intent" value="${id}">
<input type="number" name="amount" min="1" max="${left}" value="${left}" required aria-label="Cents to refund of ${id}">
<button name="control" value="refund" aria-label="Refund ${id}">Refund</button></form>`;
}

export function eventsTable({ events, now }: AccountState): Html {
	return table({
		id: "events",
		heading: "Events and webhooks",
		columns: ["Event", "Webhook", "Action", "Object", "Created"],
		rows: events.map(({ event, delivery }) => ({
			id: event.id,
			cells: [
				html`<b>${event.type}</b><br><code>${event.id}</code>`,
				delivery ? deliveryText(delivery, now) : "",
				sendForms(event, delivery?.state === "pending" || delivery?.state === "held"),
				html`<code>${"id" in event.data.object ? event.data.object.id : ""}</code>`,
				time(event.created),
			],
		})),
		none: "No events yet.",
	});
}

function deliveryText({ state, attempts, answer, next_attempt }: Delivery, now: number): Content {
	const response = answer === null ? "" : html`<br>response ${answer}`;
	const left = next_attempt !== null && next_attempt > now ? `in ${duration(next_attempt - now)}` : "now";
	const next = next_attempt === null ? "" : html`<br>next attempt ${left}`;
	const count = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
	return html`<div class="delivery">${badge(state)} ${count}${response}${next}</div>`;
}

function sendForms({ id, type }: Stripe.Event, discardable: boolean): Html {
	const button = (control: string, label: string, more: Content = "") =>
		html`<button name="control" value="${control}" aria-label="${label} ${type} ${id}"${more}>${label}</button>`;
	return html`<div class="row-buttons">
<form method="post" action="${action}"><input type="hidden" name="event" value="${id}">
${button("send", "Send again")}${button("discard", "Discard", discardable ? "" : html` disabled`)}</form>
<form method="post" action="${action}"><input type="hidden" name="event" value="${id}"><input type="hidden" name="tampering" value="body">
${button("send", "Send tampered", html` title="With the body changed after it was signed"`)}</form></div>`;
}

export function requestsTable({ journal }: AccountState): Html {
	return table({
		id: "requests",
		heading: "Requests",
		columns: ["Time", "Caller", "Endpoint", "Status", "Fault", "Idempotency key", "Parameters"],
		rows: journal.map((entry) => ({
			id: entry.request_id,
			cells: [
				time(entry.created),
				entry.caller,
				html`<span title="${entry.method} ${entry.path}">${entry.endpoint ?? `${entry.method} ${entry.path}`}</span>`,
				statusText(entry),
				entry.fault === null ? "" : html`<span class="badge waiting">${entry.fault}</span>`,
				html`<code>${entry.idempotency_key ?? ""}</code>`,
				pairs(entry.params),
			],
		})),
		none: "No requests yet.",
	});
}

function statusText({ status, replayed }: Entry): Html {
	return html`<span class="badge ${status < 400 ? "plain" : "bad"}">${status}</span>${replayed ? " replayed" : ""}`;
}

/** Returns the table of test cards, which work with any future expiry and any security code. */
export function cardsTable(): Html {
	return table({
		id: "cards",
		heading: "Test cards",
		columns: ["Number", "Card", "Payment", "Id for servers"],
		rows: testCards.map(({ number, label, id, outcome }) => ({
			id: `card-${number}`,
			cells: [
				html`<code class="number">${formatNumber(number)}</code>`,
				label,
				describeOutcome(outcome),
				html`<code>${id ?? ""}</code>`,
			],
		})),
		none: "",
	});
}

/** Returns a section with a heading and a table in its own scroll area. */
function table({ id, heading, columns, rows, none }: Table): Html {
	const body = rows.map(
		({ id, cells: [first = "", ...others] }) =>
			html`<tr id="${id}"><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
	);
	return html`<section id="${id}" data-fresh aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${heading} <span class="count">${rows.length}</span></h2>
${
	rows.length === 0
		? html`<p class="none">${none}</p>`
		: html`<div class="scroll" role="group" aria-labelledby="${id}-heading" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${body}</tbody>
</table></div>`
}
</section>`;
}

const colors: Readonly<Record<string, string>> = {
	succeeded: "good",
	processing: "waiting",
	pending: "waiting",
	held: "waiting",
	requires_action: "waiting",
	failed: "bad",
	dropped: "bad",
};

function badge(status: string): Html {
	return html`<span class="badge ${colors[status] ?? "plain"}">${status}</span>`;
}
