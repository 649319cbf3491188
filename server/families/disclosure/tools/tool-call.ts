import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";

export const toolCall = defineTool({
  name: "tool_call",
  title: "Call an extension tool",
  description: "Calls a tool of the extension directory at once, without enabling it. tool_describe tells its arguments.",
  family: "disclosure",
  tier: "core",
  effect: "read",
  needs: [],
  disclosure: {
    carrier: { toolParameter: "toolName", argumentsParameter: "arguments" },
    alwaysOn: true,
  },
  names: {
    aliases: ["call_tool", "invoke_tool"],
    parameterAliases: {
      tool_name: "toolName",
      tool: "toolName",
      name: "toolName",
      args: "arguments",
      input: "arguments",
      parameters: "arguments",
    },
  },
  primaryArgument: "toolName",
  running: { concurrencySafe: false },
  input: z.object({
    toolName: z.string().trim().min(1).max(200).describe("Exact function name"),
    arguments: z.record(z.string(), z.any()).default({}).describe("The arguments of that tool"),
  }),
  // The turn submits the carried call in place of this one, so only a call that carries itself arrives here.
  execute: () => Promise.reject(new AppError("invalid", "tool_call cannot call itself. Send the name of the tool that does the work.")),
});
