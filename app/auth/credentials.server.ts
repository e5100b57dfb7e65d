import { eq } from "drizzle-orm";
import { generateIdFromEntropySize } from "lucia";
import type { Database } from "#drizzle/db.server.ts";
import { users } from "#drizzle/schema.ts";
import { normalizeEmail } from "./email.server.ts";
import { hashPassword, passwordProblem, verifyPassword } from "./password.server.ts";

/** Runs the work of hashing a password when it is its turn, or returns "busy": hashInTurn for the request's address. */
export type HashInTurn = <Result>(work: () => Promise<Result>) => Promise<Result | "busy">;

export interface Credentials {
	email: string;
	password: string;
}

/** Why an attempt was refused, for the shopper, and the field at fault, if there is one. */
export interface Refusal {
	refusal: string;
	field?: "email" | "password";
}

/** Reads e-mail and password from the sign-in form. Says which is missing; refuses an e-mail that cannot be one before
 *  anything is looked up, and fields that are there twice or hold a file. */
export function parseCredentials(form: FormData): Credentials | Refusal {
	const typedEmail = field(form, "email");
	const password = field(form, "password");
	if (typedEmail === null || password === null) return { refusal: "Send one e-mail and one password." };
	if (!typedEmail.trim() && !password) return { refusal: "Please type your e-mail and your password.", field: "email" };
	if (!typedEmail.trim()) return { refusal: "Please type your e-mail.", field: "email" };
	if (!password) return { refusal: "Please type your password.", field: "password" };
	const email = normalizeEmail(typedEmail);
	if (!email) return { refusal: "This is not an e-mail address.", field: "email" };
	return { email, password };
}

/** Finds the account the credentials open. An unknown e-mail and a wrong password read the same and take the same
 *  time, so that nobody can ask who has an account here. */
export async function verifyCredentials(
	database: Database,
	{ email, password }: Credentials,
	hashInTurn: HashInTurn,
): Promise<{ id: string } | Refusal | "busy"> {
	const [user] = await database
		.select({ id: users.id, passwordHash: users.passwordHash })
		.from(users)
		.where(eq(users.email, email));
	const right = await hashInTurn(() => verifyPassword(user?.passwordHash ?? null, password));
	if (right === "busy") return "busy";
	if (user && right) return { id: user.id };
	return { refusal: "There is no account with this e-mail and password.", field: "password" };
}

/** Creates the account, or says why not. Two requests for one e-mail make one account, however close they come. */
export async function createUser(
	database: Database,
	{ email, password }: Credentials,
	now: () => number,
	hashInTurn: HashInTurn,
): Promise<{ id: string } | Refusal | "busy"> {
	const refusal = passwordProblem(password, email);
	if (refusal) return { refusal, field: "password" };
	// asked once it is its turn: of many requests for one e-mail, only the first few cost a hash
	const passwordHash = await hashInTurn(async () => ((await isTaken(database, email)) ? null : hashPassword(password)));
	if (passwordHash === "busy") return "busy";
	const [user] = passwordHash
		? await database
				.insert(users)
				.values({ id: generateIdFromEntropySize(10), email, passwordHash, createdAt: now() })
				.onConflictDoNothing({ target: users.email })
				.returning({ id: users.id })
		: [];
	return user ?? { refusal: "There is already an account with this e-mail. Sign in instead.", field: "email" };
}

async function isTaken(database: Database, email: string): Promise<boolean> {
	const found = await database.select({ id: users.id }).from(users).where(eq(users.email, email));
	return found.length > 0;
}

/** The text of a field; "" when it is not there, null when it is there twice or is not text. */
function field(form: FormData, name: string): string | null {
	const values = form.getAll(name);
	if (values.length > 1) return null;
	const value = values[0] ?? "";
	return typeof value === "string" ? value : null;
}
