import { ownerScenarios } from "./owner-scenarios.ts";
import type { Scenario } from "./play.ts";
import { purchaseScenarios } from "./purchase-scenarios.ts";
import { reconcileScenarios } from "./reconcile-scenarios.ts";

export const scenarios: readonly Scenario[] = [...purchaseScenarios, ...ownerScenarios, ...reconcileScenarios];
