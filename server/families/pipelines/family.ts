import { defineFamily } from "../define-family";
import { delegate } from "./delegate";
import { delegateAnswers } from "./endpoints";
import { environment } from "./environment";
import { coreExecute } from "./tools/core-execute";

export const pipelinesFamily = defineFamily({
  name: "pipelines",
  endpoints: delegateAnswers,
  environment,
  tools: [coreExecute],
  capabilities: [delegate],
});
