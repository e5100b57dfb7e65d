import { exploreAll } from "./explore-all.ts";
import { reconcileScenarios } from "./reconcile-scenarios.ts";

exploreAll(reconcileScenarios);
