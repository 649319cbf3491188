import { z } from "zod";
import { defineTool } from "../../define-tool";

export const enableTool = defineTool({
  name: "enable_tool",
  title: "Enable an extension tool",
  description:
    "Makes one tool of the extension directory callable in this conversation, from your next response on. Send its exact function name as the directory shows it.",
  family: "framework",
  tier: "core",
  // It changes what the model is shown in this conversation, and nothing in the world.
  effect: "read",
  needs: ["disclosure"],
  aliases: ["enableTool", "EnableTool", "activate_tool"],
  parameterAliases: { tool_name: "toolName", tool: "toolName", name: "toolName" },
  primaryArgument: "toolName",
  concurrencySafe: false,
  alwaysOn: true,
  input: z.object({
    toolName: z.string().trim().min(1).max(200).describe("Exact function name from the extension directory"),
  }),
  async execute({ toolName }, { disclosure }) {
    return disclosure.enable(toolName);
  },
});
