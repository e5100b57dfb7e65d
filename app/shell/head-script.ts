// Runs in the head, before the first paint and before React. vite.ts of the emulator bundles it.
import "../theme/apply-theme.ts";
import "./hold-input.ts";
import "./wrap-apis.ts";
