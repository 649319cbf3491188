import { instructionsName } from "@/contracts/browser/tools/tool-changes";
import type { ToolChange } from "@/contracts/tools/tool-changes";

/** Returns whether a change is one of a server's instructions, not of a tool. */
export const isOfInstructions = ({ tool }: Pick<ToolChange, "tool">): boolean => tool === instructionsName;

/** Names the tool or the instructions that changed. */
export function changedName({ tool, server }: Pick<ToolChange, "tool" | "server">): string {
  return isOfInstructions({ tool }) ? `Instructions of ${server.alias}` : tool;
}
