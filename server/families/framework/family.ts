import { defineFamily } from "../define-family";
import { disclosure } from "./disclosure";
import { askUser } from "./tools/ask-user";
import { enableTool } from "./tools/enable-tool";
import { toolCall } from "./tools/tool-call";
import { toolDescribe } from "./tools/tool-describe";
import { toolSearch } from "./tools/tool-search";

export const frameworkFamily = defineFamily({
  name: "framework",
  tools: [askUser, enableTool, toolCall, toolDescribe, toolSearch],
  capabilities: [disclosure],
  promptHints: {
    inactive_tool: 'Call enable_tool with toolName "{tool}", then issue this call in your next response.',
    directory: "To use one, call enable_tool with its exact name; its schema is there in your next step.",
    shortened_directory:
      "These tools are not callable yet. Find one with tool_search, in words for the task. Then call it at once with tool_call, or call enable_tool with its exact name; its schema is there in your next step.",
  },
});
