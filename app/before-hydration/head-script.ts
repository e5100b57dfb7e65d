// Runs in the head, before the first paint and before React. The emulator's Vite plugin bundles it into one script.
import "../theme/apply-theme.ts";
import "./hold-input.ts";
import "./session-storage.ts";
