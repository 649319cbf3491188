import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";
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
    return [checkToolSchemas(tools), ...notSetUp(away.filter(isOurs)), ...away.filter((tool) => !isOurs(tool)).map(toWarning)];
  },
};

/** A bridge without a pipeline is no fault, because the pipeline is optional. */
const isMissing = ({ enabled, sourceEnabled, availability, isBridge }: RegisteredTool): boolean =>
  enabled && sourceEnabled && availability === "unavailable" && !isBridge;

const isOurs = ({ source }: RegisteredTool): boolean => source === "builtin";

/** Builtin tools wait for a setting that not everybody needs, so they are no warning. Tools with one reason are one result. */
function notSetUp(tools: readonly RegisteredTool[]): CheckResult[] {
  const byReason = Map.groupBy(tools, ({ availabilityReason }) => availabilityReason ?? noReason);
  return [...byReason].map(([sentence, waiting]) => {
    const names = waiting.map(({ name }) => name);
    const [first = ""] = names;
    return {
      name: `${names.length === 1 ? "Tool" : "Tools"} ${names.join(", ")}`,
      status: "skipped",
      sentence,
      link: settingsIn(sentence) ?? linkTo(first),
    };
  });
}

function toWarning({ name, availabilityReason }: { name: string; availabilityReason: string | null }): CheckResult {
  return {
    name: `Tool ${name}`,
    status: "warning",
    sentence: availabilityReason ?? noReason,
    wayOut: "Repair the cause, or disable the tool.",
    link: settingsIn(availabilityReason) ?? linkTo(name),
  };
}

/** Pages of the settings by the name that a reason gives them: "Settings, Media", "Settings → Agents at work". */
const settingsPages = new Map([
  ["Agents at work", "/settings#delegation"],
  ["Auth profiles", "/settings#auth-profiles"],
  ["Media", "/settings/media"],
  ["Models", "/settings/models"],
  ["Search", "/settings#search"],
]);

/** Returns the settings page that a reason sends its reader to. */
function settingsIn(reason: string | null): CheckResult["link"] {
  const named = reason?.match(/\bSettings(?:,| →) (.+?)[.,]/)?.[1] ?? "";
  const path = settingsPages.get(named);
  return path ? { label: `Settings → ${named}`, path } : null;
}

const noReason = "It cannot be called right now.";

const linkTo = (name: string) => ({ label: name, path: `/tools?tool=${encodeURIComponent(name)}` });
