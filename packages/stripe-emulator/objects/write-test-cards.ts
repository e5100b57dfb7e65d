/** Writes the README's tables of test cards: `npx node packages/stripe-emulator/objects/write-test-cards.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { withCardTables } from "./card-tables.ts";

const readme = new URL("../README.md", import.meta.url);
writeFileSync(readme, withCardTables(readFileSync(readme, "utf8")));
