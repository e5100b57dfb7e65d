#!/usr/bin/env node
import { existsSync } from "node:fs";

// The published package contains dist/ and not build.ts. In the repository, dist/ is built when a source has changed.
const build = new URL("build.ts", import.meta.url);
if (existsSync(build)) await (await import(build.href)).buildIfStale();
await import(new URL("../dist/cli.js", import.meta.url).href);
