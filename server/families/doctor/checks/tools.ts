import type { Check, CheckResult } from "@/server/platform/doctor-checks";
import { builtinTools } from "@/server/tools/builtin-tools";
import { loadTools } from "@/server/tools/catalog";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { checkToolSchemas } from "../check-tool-schemas";

export const toolsCheck: Check = {
  name: "Tools",
  isOffline: true,
  run: async (workspaceId) => {
    if (workspaceId === "") return [checkToolSchemas(builtinTools())];
    const tools = await loadTools(workspaceId);
    const away = tools.filter(isMissing);
    return [checkToolSchemas(tools), ...away.map(toWarning)];
  },
};

/** A bridge without a pipeline is no fault, because the pipeline is optional. */
const isMissing = ({ enabled, sourceEnabled, availability, isBridge }: RegisteredTool): boolean =>
  enabled && sourceEnabled && availability === "unavailable" && !isBridge;

function toWarning({ name, availabilityReason }: { name: string; availabilityReason: string | null }): CheckResult {
  return {
    name: `Tool ${name}`,
    status: "warning",
    sentence: availabilityReason ?? "It cannot be called right now.",
    wayOut: "Repair the cause, or disable the tool.",
    link: { label: name, path: `/tools?tool=${encodeURIComponent(name)}` },
  };
}
