import { Worker } from "node:worker_threads";

// Stryker kills its test runner when a mutant loops forever, but not the runner's processes, one of which runs the loop.
// A second thread, which the loop does not block, ends the process when its parent is gone.
const watch = `
	const { ppid } = process;
	setInterval(() => process.ppid === ppid || process.kill(process.pid, "SIGKILL"), 1000);`;
new Worker(watch, { eval: true }).unref();
