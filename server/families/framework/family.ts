import { defineFamily } from "../define-family";
import { disclosure } from "./disclosure";
import { workListAnswers } from "./endpoints";
import { notes } from "./notes";
import { askUser } from "./tools/ask-user";
import { docs } from "./tools/docs";
import { enableTool } from "./tools/enable-tool";
import { addGoalCriterion, completeGoal, getGoalStatus, setGoal } from "./tools/goal-tools";
import { info } from "./tools/info";
import { planCreate } from "./tools/plan-create";
import { progressUpdate } from "./tools/progress-update";
import { scratchpad } from "./tools/scratchpad";
import { showCard } from "./tools/show-card";
import { todo } from "./tools/todo";
import { toolCall } from "./tools/tool-call";
import { toolDescribe } from "./tools/tool-describe";
import { toolSearch } from "./tools/tool-search";
import { workListContext } from "./work-list/read-work-list";

export const frameworkFamily = defineFamily({
  name: "framework",
  endpoints: workListAnswers,
  tools: [
    askUser,
    docs,
    enableTool,
    info,
    scratchpad,
    showCard,
    todo,
    planCreate,
    progressUpdate,
    setGoal,
    addGoalCriterion,
    completeGoal,
    getGoalStatus,
    toolCall,
    toolDescribe,
    toolSearch,
  ],
  capabilities: [disclosure, notes],
  contextNote: workListContext,
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
