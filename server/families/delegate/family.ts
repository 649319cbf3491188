import { defineFamily } from "../define-family";
import { delegate } from "./delegate";
import { environment } from "./environment";
import { coreExecute } from "./tools/core-execute";

export const delegateFamily = defineFamily({
  name: "delegate",
  environment,
  tools: [coreExecute],
  capabilities: [delegate],
});
