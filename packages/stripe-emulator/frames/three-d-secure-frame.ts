import style from "../browser/three-d-secure-frame.css?raw";
import script from "../browser/three-d-secure-frame.ts?script";
import { frameResponse } from "./frame-response.ts";

const body = `<header>
<span>Test bank</span>
<button type="button" class="LightboxModalClose" aria-label="Close without paying">×</button>
</header>
<main>
<section class="loading">
<h1 tabindex="-1">One moment, please</h1>
<p>The bank is looking up your payment.</p>
</section>
<section class="asking" hidden>
<h1 tabindex="-1">Confirm your payment</h1>
<dl>
<dt>Amount</dt><dd class="amount"></dd>
<dt>Card</dt><dd class="card"></dd>
</dl>
<p class="note">Test payments: no real bank, no real money. Choose the result of the authentication.</p>
<button type="button" class="main" id="test-source-authorize-3ds">Complete authentication</button>
<button type="button" id="test-source-fail-3ds">Fail authentication</button>
</section>
<section class="sending" hidden>
<h1 tabindex="-1">One moment, please</h1>
<p>Sending your choice to the bank.</p>
</section>
<section class="unanswered" hidden>
<h1 tabindex="-1">The bank isn't responding</h1>
<p>Check your internet connection. Trying again charges nothing twice.</p>
<button type="button" class="main again">Try again</button>
</section>
</main>`;

/** Returns the test bank's page, where the cardholder completes or fails 3-D Secure authentication. */
export function threeDSecureFrame(url: URL): Promise<Response> {
	return frameResponse(url, { title: "Test bank", body, style, script });
}
