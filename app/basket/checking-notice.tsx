import { checkingNotice } from "#app/tab/purchase.ts";

export function CheckingNotice() {
	return (
		<p className="sheet checking">
			<i className="spin" /> <span>{checkingNotice}</span>
		</p>
	);
}
