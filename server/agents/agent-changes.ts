import type { AgentChange } from "@/contracts/agents/agents";
import type { AgentSettings } from "@/db/schema";

/** An agent's configuration: its settings and its ticked tools. */
export type AgentConfiguration = { settings: AgentSettings; tools: readonly string[] };

/** Returns the settings that differ, as text that a person compares. The tools are one setting. */
export function findAgentChanges(before: AgentConfiguration, after: AgentConfiguration): AgentChange[] {
  // Sorted, because JSON of the database does not keep the order of its members.
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(after.settings)])].sort() as (keyof AgentSettings)[];
  const pairs = names.map((name) => ({ setting: name, before: toText(before.settings[name]), after: toText(after.settings[name]) }));
  const tools = { setting: "tools", before: before.tools.join("\n"), after: after.tools.join("\n") };
  return [...pairs, tools].filter((pair) => pair.before !== pair.after);
}

/** Writes the line of a version in the list of versions. */
export function summarizeChanges(changes: readonly AgentChange[]): string {
  if (changes.length === 0) return "Saved without a change";
  return `Changed ${changes.map(({ setting }) => words[setting] ?? setting).join(", ")}`;
}

const words: Readonly<Record<string, string>> = {
  disclosureMode: "disclosure",
  sharedFolder: "shared folder",
  allowedEffects: "allowed effects",
  toolsDisabled: "other tools",
  skillsDisabled: "skills",
  modelSettings: "settings of replies",
  runLimits: "limits of runs",
};

/** An absent setting and `null` are the same. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
