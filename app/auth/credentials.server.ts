import { eq } from "drizzle-orm";
import { generateIdFromEntropySize } from "lucia";
import { retryOnce } from "#app/http/databases.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { users } from "#drizzle/schema.ts";
import { normalizeEmail } from "./email.server.ts";
import {
	checkPassword,
	hashPassword,
	normalizePassword,
	type passwordCost,
	verifyPassword,
} from "./password.server.ts";

/** Runs `work` in the password hash queue, with the cost of a hash. Returns "busy" if too many hashes wait, in total or
 *  for the client's address. */
export type HashInTurn = <Result>(work: (cost: typeof passwordCost) => Promise<Result>) => Promise<Result | "busy">;

interface Credentials {
	email: string;
	/** As typed. */
	password: string;
}

/** The reason why a form was rejected, worded for the shopper, and the invalid field. */
export interface Refusal {
	refusal: string;
	field?: "email" | "password";
}

/** Returns the email and password from the sign-in form, or a refusal. Rejects repeated fields and files. */
export function parseCredentials(form: FormData): Credentials | Refusal {
	const typedEmail = field(form, "email");
	const password = field(form, "password");
	if (typedEmail === null || password === null) return { refusal: "Enter one email and one password." };
	const isMissing = typedEmail.trim() === "";
	if (isMissing && !password) return { refusal: "Enter your email and password.", field: "email" };
	if (isMissing) return { refusal: "Enter your email.", field: "email" };
	if (!password) return { refusal: "Enter your password.", field: "password" };
	const email = normalizeEmail(typedEmail);
	return email ? { email, password } : { refusal: "Enter a valid email address.", field: "email" };
}

interface User {
	id: string;
	passwordHash: string;
}

/** Returns the user with these credentials, or a refusal: the same, in the same time, for an unknown email and a wrong
 *  password, so that it does not reveal who has an account. `found` is the user with this email, if it has been read.
 *  The password is hashed in two forms if normalization changes it: an older account may have the hash of either. */
export async function verifyCredentials(
	database: Database,
	{ email, password }: Credentials,
	inTurn: HashInTurn,
	found: User | null = null,
): Promise<{ id: string } | Refusal | "busy"> {
	const user = found ?? (await findUser(database, email));
	for (const form of new Set([normalizePassword(password), password])) {
		const right = await inTurn((cost) => verifyPassword(user?.passwordHash ?? null, form, cost));
		if (right === "busy") return "busy";
		if (user && right) return { id: user.id };
	}
	return { refusal: "Email or password is incorrect.", field: "password" };
}

/** Creates a user, or returns a refusal. Also returns the user of an existing account with this password: the response
 *  to the request that created it may have been lost, and the request sent again. */
export async function createUser(
	database: Database,
	credentials: Credentials,
	now: () => number,
	inTurn: HashInTurn,
): Promise<{ id: string } | Refusal | "busy"> {
	const { email } = credentials;
	const password = normalizePassword(credentials.password);
	const refusal = checkPassword(password);
	if (refusal) return { refusal, field: "password" };
	const existing = await findUser(database, email);
	if (!existing) {
		const passwordHash = await inTurn((cost) => hashPassword(password, cost));
		if (passwordHash === "busy") return "busy";
		const added = { id: generateIdFromEntropySize(10), email, passwordHash, createdAt: now() };
		const [created] = await retryOnce(() =>
			database.insert(users).values(added).onConflictDoNothing({ target: users.email }).returning({ id: users.id }),
		);
		if (created) return created;
	}
	const user = await verifyCredentials(database, credentials, inTurn, existing);
	if (user === "busy" || "id" in user) return user;
	return { refusal: "An account with this email already exists. Sign in instead.", field: "email" };
}

async function findUser(database: Database, email: string): Promise<User | null> {
	const { id, passwordHash } = users;
	const isNamed = eq(users.email, email);
	const [user] = await retryOnce(() => database.select({ id, passwordHash }).from(users).where(isNamed));
	return user ?? null;
}

/** Returns the text of a field: "" if the field is missing, null if it is repeated or contains a file. */
function field(form: FormData, name: string): string | null {
	const values = form.getAll(name);
	if (values.length > 1) return null;
	const value = values[0] ?? "";
	return typeof value === "string" ? value : null;
}
