import { z } from "zod";
import type { Json, JsonObject } from "@/contracts/common";
import { todoStatuses } from "@/contracts/conversations/work-lists";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { notes } from "../notes";
import { maxTodos, mergeTodos, openTodoLines, presentTodos, replaceTodos, type Todo, TodoList, todoKey } from "../todo-list";

type Answer = { list: Todo[] } | { error: string; message: string };

export const todo = defineTool({
  name: "todo",
  title: "Task list",
  description:
    "Keeps this conversation's task list. Without todos it returns the list. With todos it replaces the list; with merge true it changes the items with a known id and appends the others.",
  family: "work-lists",
  tier: "extension",
  // It changes nothing but what this conversation's model keeps for itself.
  effect: "read",
  approval: {
    effects: () => [actsInside("keeps the task list of the conversation")],
  },
  running: { concurrencySafe: false },
  needs: [notes],
  names: { aliases: ["todo_write", "todo_list", "update_todos"], parameterAliases: { items: "todos", tasks: "todos" } },
  disclosure: {
    guidance: {
      text: "Keep the task list of `todo` current in work of three or more steps: one item in_progress, each done item completed at once.",
      place: "normal",
    },
  },
  input: z.object({
    todos: z
      .array(
        z.object({
          id: z.union([z.string().max(100), z.number()]).optional(),
          content: z.string().max(2_000).optional(),
          status: z.string().max(100).optional().describe(todoStatuses.join(", ")),
        }),
      )
      .max(maxTodos)
      .optional()
      .describe("The items; without them the list is read"),
    merge: z.boolean().default(false).describe("Change items by id in place of replacing the list"),
  }),
  async execute({ todos, merge }, { notes }) {
    if (todos === undefined) {
      const answer = readList((await notes.read("todo")).get(todoKey));
      const open = "list" in answer ? openTodoLines(answer.list) : [];
      return answered(answer, open.length === 0 ? {} : { open: open.join("\n") });
    }
    let answer: Answer = { list: [] };
    await notes.change("todo", (before) => {
      const known: Answer = merge ? readList(before.get(todoKey)) : { list: [] };
      answer = "error" in known ? known : changed(merge ? mergeTodos(known.list, todos) : replaceTodos(todos));
      return "list" in answer ? new Map<string, Json>([[todoKey, answer.list]]) : before;
    });
    return answered(answer);
  },
});

function readList(stored: Json | undefined): Answer {
  const parsed = TodoList.safeParse(stored ?? []);
  if (parsed.success) return { list: parsed.data };
  return { error: "todo_store_corrupt", message: "The stored list cannot be read. Send the whole list without merge to replace it." };
}

function changed(list: Todo[]): Answer {
  if (list.length <= maxTodos) return { list };
  return { error: "todo_invalid_args", message: `The list holds at most ${maxTodos} items. Send the open ones without merge.` };
}

function answered(answer: Answer, more: JsonObject = {}) {
  if ("list" in answer) return { ...presentTodos(answer.list), ...more };
  const { error, message } = answer;
  return toolResult({ text: JSON.stringify({ ...presentTodos([]), error, message }), isError: true });
}
