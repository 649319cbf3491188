import { toolEndpoints } from "@/contracts/tools/tools";
import { answer } from "@/server/endpoints/answer";
import { changeTools } from "@/server/tools/change-tools";
import { getTool } from "@/server/tools/get-tool";
import { listTools } from "@/server/tools/list-tools";
import { reportFormats } from "@/server/tools/report-formats";
import { getToolUsage } from "@/server/tools/tool-usage";
import { setTier, updateTool } from "@/server/tools/update-tool";

export const toolAnswers = answer(toolEndpoints, {
  list: ({ actor, query }) => listTools(actor, query),
  get: ({ actor, params }) => getTool(actor, params.id),
  update: ({ actor, params, body, version }) => updateTool(actor, params.id, body, version),
  patch: ({ actor, params, body, version }) => updateTool(actor, params.id, body, version),
  setTier: ({ actor, params, body, version }) => setTier(actor, params.id, body.tier, version),
  usage: ({ actor, params }) => getToolUsage(actor, params.id),
  formats: ({ actor, params }) => reportFormats(actor, params.id),
  change: ({ actor, body }) => changeTools(actor, body),
});
