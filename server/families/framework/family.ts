import { defineFamily } from "../define-family";
import { disclosure } from "./disclosure";
import { askUser } from "./tools/ask-user";
import { enableTool } from "./tools/enable-tool";

export const frameworkFamily = defineFamily({
  name: "framework",
  tools: [askUser, enableTool],
  capabilities: [disclosure],
  promptHints: {
    inactive_tool: 'Call enable_tool with toolName "{tool}", then issue this call in your next response.',
    directory: "To use one, call enable_tool with its exact name; its schema is there in your next step.",
  },
});
