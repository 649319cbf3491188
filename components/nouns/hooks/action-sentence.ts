import type { HookAction } from "@/contracts/hooks/hook-actions";

/** Describes an action with its main setting: `redacts \d{16}`, `drops the field email`. Starts in lower case, without a full stop. */
export function actionSentence(action: HookAction): string {
  switch (action.type) {
    case "redact":
      return `redacts ${action.pattern}${below(action.pointer)}`;
    case "mask":
      return `masks ${listed(action.fields)}`;
    case "set":
      return `sets ${action.pointer}`;
    case "inject":
      return `adds ${action.pointer} where it is missing`;
    case "validate":
      return `refuses what does not fit ${action.pattern ?? "a schema"}${below(action.pointer)}`;
    case "deny":
      return "denies";
    case "filter":
      return filterParts(action).join(", ");
    case "truncate":
      return `cuts texts at ${action.maxChars.toLocaleString("en")} characters${below(action.pointer)}`;
    case "audit":
      return "writes to the audit";
    case "webhook":
      return `${action.decides ? "asks" : "tells"} ${hostOf(action.url)}`;
    case "cache":
      return `cache ${action.ttlSeconds.toLocaleString("en")} s`;
    case "count_tokens":
      return "counts tokens";
    case "fall_back":
      return "gives a result in place of the error";
    case "judge":
      if (action.agentId !== null) return "an agent judges";
      return action.url === null ? "judge not set: denies" : `judge at ${hostOf(action.url)}`;
  }
}

function filterParts({ keep, drop, lines }: Extract<HookAction, { type: "filter" }>): string[] {
  return [
    ...(keep.length > 0 ? [`keeps only ${listed(keep)}`] : []),
    ...(drop.length > 0 ? [`drops ${listed(drop)}`] : []),
    ...(lines ? [`${lines.keep ? "keeps only" : "drops"} lines with ${lines.pattern}`] : []),
  ];
}

const below = (pointer: string | null) => (pointer ? ` at ${pointer}` : "");
const maxNames = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(", ");
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
