import { ownerScenarios } from "./owner-scenarios.ts";
import { purchaseScenarios } from "./purchase-scenarios.ts";
import { reconcileScenarios } from "./reconcile-scenarios.ts";
import type { Scenario } from "./schedule.ts";

export const scenarios: readonly Scenario[] = [...purchaseScenarios, ...ownerScenarios, ...reconcileScenarios];
