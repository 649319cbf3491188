import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { disclosure } from "../disclosure";

export const info = defineTool({
  name: "info",
  title: "Documentation of a tool",
  description:
    "Returns the full documentation of one tool: what it does, every argument, an example, effects and limits. Some tools refuse until it was called.",
  family: "disclosure",
  tier: "extension",
  result: { pinsResults: true },
  // It only notes that this conversation's model has read the documentation.
  effect: "read",
  running: { concurrencySafe: false },
  needs: [disclosure],
  names: {
    parameterAliases: { tool_name: "toolName", tool: "toolName", name: "toolName" },
  },
  primaryArgument: "toolName",
  input: z.object({ toolName: z.string().trim().min(1).max(200).describe("Exact function name") }),
  async execute({ toolName }, { disclosure }) {
    return disclosure.document(toolName);
  },
});
