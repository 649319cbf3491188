import { agentEndpoints } from "@/contracts/agents/agents";
import { getAgentTools, setAgentTools } from "@/server/agents/agent-tools";
import { getAgentVersion, listAgentVersions } from "@/server/agents/agent-versions";
import { createAgent } from "@/server/agents/create-agent";
import { duplicateAgent } from "@/server/agents/duplicate-agent";
import { getAgent } from "@/server/agents/get-agent";
import { listAgents } from "@/server/agents/list-agents";
import { removeAgent } from "@/server/agents/remove-agent";
import { restoreAgentVersion } from "@/server/agents/restore-agent-version";
import { updateAgent } from "@/server/agents/update-agent";
import { answer } from "@/server/endpoints/answer";
import { previewAgentTools } from "@/server/tools/preview-agent-tools";

export const agentAnswers = answer(agentEndpoints, {
  list: ({ actor, query }) => listAgents(actor, query),
  create: ({ actor, body }) => createAgent(actor, body),
  get: ({ actor, params }) => getAgent(actor, params.id),
  update: ({ actor, params, body, version }) => updateAgent(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeAgent(actor, params.id, version),
  duplicate: ({ actor, params, body }) => duplicateAgent(actor, params.id, body.name),
  versions: ({ actor, params, query }) => listAgentVersions(actor, params.id, query),
  version: ({ actor, params, query }) => getAgentVersion(actor, params.id, params.version, query.against),
  restoreVersion: ({ actor, params, version }) => restoreAgentVersion(actor, params.id, params.version, version),
  getTools: ({ actor, params }) => getAgentTools(actor, params.id),
  setTools: ({ actor, params, body, version }) => setAgentTools(actor, params.id, body.tools, version),
  previewTools: ({ actor, params, body }) => previewAgentTools(actor, params.id, body.tools),
});
