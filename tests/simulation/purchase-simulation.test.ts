import { exploreAll } from "./explore-all.ts";
import { ownerScenarios } from "./owner-scenarios.ts";
import { purchaseScenarios } from "./purchase-scenarios.ts";

exploreAll([...purchaseScenarios, ...ownerScenarios]);
