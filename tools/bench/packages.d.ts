// Declares what the benchmark uses of lighthouse, which only `npm run bench` installs.
declare module "lighthouse" {
	export interface Result {
		categories: Record<string, { score: number | null; auditRefs: { id: string }[] }>;
		audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
		environment: { benchmarkIndex: number };
		runtimeError?: { message: string };
	}
	export default function audit(
		url: string,
		flags: { port: number; logLevel: "error"; onlyCategories: string[] },
	): Promise<{ lhr: Result } | undefined>;
}
