import { defineFamily } from "../define-family";
import { hookAnswers } from "./endpoints";
import { loadModelHooks } from "./model-hooks";
import { removeOldRuns } from "./remove-old-runs";

/** Administration of hooks; the engine that runs them belongs to the core (`server/hooks`). */
export const hooksFamily = defineFamily({
  name: "hooks",
  endpoints: hookAnswers,
  removeOldRows: [removeOldRuns],
  modelHooks: loadModelHooks,
});
