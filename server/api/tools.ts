import { toolEndpoints } from "@/contracts/tools/tools";
import { answer } from "@/server/endpoints/answer";
import { changeTools } from "@/server/tools/admin/change-tools";
import { getTool } from "@/server/tools/admin/get-tool";
import { listTools } from "@/server/tools/admin/list-tools";
import { reportFormats } from "@/server/tools/admin/report-formats";
import { getToolUsage } from "@/server/tools/admin/tool-usage";
import { setTier, updateTool } from "@/server/tools/admin/update-tool";

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
