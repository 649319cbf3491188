import { defineFamily } from "../define-family";
import { disclosure } from "./disclosure";
import { enableTool } from "./tools/enable-tool";
import { info } from "./tools/info";
import { toolCall } from "./tools/tool-call";
import { toolDescribe } from "./tools/tool-describe";
import { toolSearch } from "./tools/tool-search";

/** Finds, describes and enables tools that the model is not shown in full. */
export const disclosureFamily = defineFamily({
  name: "disclosure",
  tools: [enableTool, info, toolCall, toolDescribe, toolSearch],
  capabilities: [disclosure],
  promptHints: {
    inactive_tool: 'Call enable_tool with toolName "{tool}", then issue this call in your next response.',
    undocumented_tool:
      'Read its documentation first: call info or tool_describe with toolName "{tool}". Then issue this call in your next response.',
    directory: "To use one, call enable_tool with its exact name; its schema is there in your next step.",
    left_out_instructions: "tool_describe of a server's tool shows them.",
    shortened_directory:
      "These tools are not callable yet. Find one with tool_search, in words for the task. Then call it at once with tool_call, or call enable_tool with its exact name; its schema is there in your next step.",
  },
});
