import { capabilityFacts } from "@/contracts/generated-tools";
import type { CallAction } from "@/contracts/guard/rule-subjects";
import type { GuardedTool } from "./guard-request";

type Fact = "runsCommands" | "touchesFiles" | "reachesHosts";

const has = (fact: Fact) => (tool: Pick<GuardedTool, "needs">) => tool.needs.some((need) => capabilityFacts[need]?.[fact] === true);

/** Returns whether a tool hands commands or programs to the conversation's shell. */
export const runsCommands = has("runsCommands");
/** Returns whether a tool reads or writes the conversation's files, itself or by commands. */
export const touchesFiles = has("touchesFiles");
const reachesHosts = has("reachesHosts");

/** Returns whether calls of a tool may do something at all. Of a tool that others wrote nothing is known for certain. */
export function mayDo(tool: Pick<GuardedTool, "needs" | "source" | "effect">, action: CallAction): boolean {
  if (tool.source !== "builtin" && tool.source !== "http") return true;
  switch (action) {
    case "runs_commands":
      return runsCommands(tool);
    case "reads_path":
      return touchesFiles(tool);
    case "writes_path":
      return touchesFiles(tool) && (tool.effect !== "read" || runsCommands(tool));
    case "connects_to":
      return reachesHosts(tool);
  }
}
