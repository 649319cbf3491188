import { directoryUse, shortenedDirectoryUse } from "@/server/tools/disclosure/present-listing";
import { leftOutInstructions } from "@/server/tools/disclosure/server-instructions";
import { inactiveTool, undocumentedTool } from "@/server/tools/prepare-call";
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
  promptHints: [
    [inactiveTool, 'Call enable_tool with toolName "{tool}", then issue this call in your next response.'],
    [
      undocumentedTool,
      'Read its documentation first: call info or tool_describe with toolName "{tool}". Then issue this call in your next response.',
    ],
    [directoryUse, "To use one, call enable_tool with its exact name; its schema is there in your next step."],
    [leftOutInstructions, "tool_describe of a server's tool shows them."],
    [
      shortenedDirectoryUse,
      "These tools are not callable yet. Find one with tool_search, in words for the task. Then call it at once with tool_call, or call enable_tool with its exact name; its schema is there in your next step.",
    ],
  ],
});
