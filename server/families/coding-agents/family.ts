import { cancelForEndedKeys } from "@/server/turns/client/end-client-call";
import { defineFamily } from "../define-family";
import { codingAgentAnswers } from "./endpoints";
import { endLostCalls } from "./keep-calls";
import { removeUnusedPolicies } from "./repository-policies";

export const codingAgentsFamily = defineFamily({
  name: "coding-agents",
  endpoints: codingAgentAnswers,
  findLostWork: [endLostCalls, cancelForEndedKeys],
  removeOldRows: [removeUnusedPolicies],
});
