import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { disclosure } from "../disclosure";

export const toolDescribe = defineTool({
  name: "tool_describe",
  title: "Describe a tool",
  description: "Returns the whole description and the argument schema of one tool, before you call it with tool_call.",
  family: "disclosure",
  tier: "core",
  effect: "read",
  needs: [disclosure],
  names: {
    aliases: ["describe_tool", "tool_info"],
    parameterAliases: { tool_name: "toolName", tool: "toolName", name: "toolName" },
  },
  primaryArgument: "toolName",
  disclosure: { alwaysOn: true },
  result: { pinsResults: true },
  input: z.object({ toolName: z.string().trim().min(1).max(200).describe("Exact function name") }),
  async execute({ toolName }, { disclosure }) {
    return disclosure.describe(toolName);
  },
});
