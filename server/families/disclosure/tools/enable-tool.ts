import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { disclosure } from "../disclosure";

export const enableTool = defineTool({
  name: "enable_tool",
  title: "Enable an extension tool",
  description:
    "Makes one tool of the extension directory callable in this conversation, from your next response on. Send its exact function name as the directory shows it.",
  family: "disclosure",
  tier: "core",
  // The tool only changes which tools this conversation's model sees.
  effect: "read",
  approval: {
    effects: () => [actsInside("makes a tool callable in the conversation")],
  },
  needs: [disclosure],
  names: {
    aliases: ["enableTool", "EnableTool", "activate_tool"],
    parameterAliases: { tool_name: "toolName", tool: "toolName", name: "toolName" },
  },
  primaryArgument: "toolName",
  running: { concurrencySafe: false },
  disclosure: { alwaysOn: true },
  input: z.object({
    toolName: z.string().trim().min(1).max(200).describe("Exact function name from the extension directory"),
  }),
  async execute({ toolName }, { disclosure }) {
    return disclosure.enable(toolName);
  },
});
