import { agentEndpoints } from "@/contracts/agents";
import { getAgent } from "@/server/agents/get-agent";
import { removeAgent } from "@/server/agents/remove-agent";
import { updateAgent } from "@/server/agents/update-agent";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(agentEndpoints.get, ({ actor, params }) => getAgent(actor, params.id));

export const PUT = route(agentEndpoints.update, ({ actor, params, body, request }) =>
  updateAgent(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(agentEndpoints.remove, async ({ actor, params, request }) => {
  await removeAgent(actor, params.id, versionMatched(request));
  return {};
});
