import { defineFamily } from "../define-family";
import { delegate } from "./delegate";
import { coreExecute } from "./tools/core-execute";

export const delegateFamily = defineFamily({
  name: "delegate",
  tools: [coreExecute],
  capabilities: [delegate],
});
