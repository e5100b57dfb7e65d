import { attempt } from "#app/ui/attempt.ts";

// A guest's receipt is in sessionStorage, so that a reload shows it. It is deleted when someone signs in, because it
// must not remain after they sign out. The history entry of /orders, which cannot be deleted, only has the end of the
// order's id. Without storage, only the message about the payment shows what was paid.

const key = "receipt";

export const saveReceipt = (receipt: object) => attempt(() => sessionStorage.setItem(key, JSON.stringify(receipt)));
export const findReceipt = (): unknown => attempt(() => JSON.parse(sessionStorage.getItem(key) ?? "null"));
export const forgetReceipt = () => attempt(() => sessionStorage.removeItem(key));
