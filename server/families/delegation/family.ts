import { defineFamily } from "../define-family";
import { acp } from "./acp/acp-capability";
import { acpPermission } from "./acp/acp-permission";
import { agentToolSource, followAgent } from "./agent-tools";
import { delegation } from "./delegation-capability";
import { delegationAnswers } from "./endpoints";
import { acpSpawn } from "./tools/acp-spawn";
import { delegate } from "./tools/delegate";
import { delegateAsync } from "./tools/delegate-async";
import { delegateParallel } from "./tools/delegate-parallel";
import { listAvailableAgents, listSubagents } from "./tools/list-agents";
import { sendToSubagent } from "./tools/send-to-subagent";
import { spawn } from "./tools/spawn";
import { taskOutput } from "./tools/task-output";

export const delegationFamily = defineFamily({
  name: "delegation",
  endpoints: delegationAnswers,
  tools: [
    delegate,
    delegateParallel,
    delegateAsync,
    taskOutput,
    listAvailableAgents,
    listSubagents,
    sendToSubagent,
    spawn,
    acpSpawn,
    acpPermission,
  ],
  capabilities: [delegation, acp],
  toolSource: agentToolSource,
  agentObserver: followAgent,
});
