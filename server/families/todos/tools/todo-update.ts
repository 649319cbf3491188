import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { maxTodoText } from "@/contracts/conversations/todos";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { type AgentModelCapability, agentModel } from "@/server/models/agent-model";
import { needsModel, noModelSentence } from "@/server/models/ask-agent";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { findDuplicate, matchTodos, resolvePeople } from "../ask-about-todos";
import type { TodoRow } from "../present-todo";
import { assertReachable } from "../references";
import { type TodosCapability, todos } from "../todos-capability";

const actions = ["add", "complete", "add_recurring"] as const;
const chat = /^tg:-?[1-9]\d{0,18}$/;
const maxInt64 = 2n ** 63n;
const notStrings = "people must be an array of strings";

const input = z
  .object({
    action: z
      .enum(actions, {
        error: ({ input }) =>
          input === undefined || input === ""
            ? "missing required param: action; action is required"
            : `invalid action: ${String(input).slice(0, 50)}; send add, complete or add_recurring`,
      })
      .describe("What to do"),
    content: z
      .string({ error: ({ input }) => (input === undefined ? "missing required param: content; content is required" : undefined) })
      .trim()
      .min(1, "content is required")
      .max(maxTodoText)
      .describe("The to-do; for complete, words that say which one"),
    people: z
      .array(z.string({ error: notStrings }).trim().min(1).max(200), {
        error: ({ input }) => (input === undefined ? undefined : notStrings),
      })
      .max(20)
      .optional()
      .describe("People whom it mentions: the speaker, the addressee and others; needed for add"),
    chatId: z.string().trim().optional().describe("The chat in which it came up: tg:<number>"),
    next: z.string().trim().max(16).optional().describe("For add_recurring: first time, YYYY-MM-DD HH:mm"),
    repeat: z.string().trim().max(50).optional().describe("For add_recurring: daily, weekly, every N days, every N hours"),
    timezone: z.string().trim().min(1).max(100).default("UTC").describe("IANA name, such as Europe/Paris"),
  })
  .superRefine(({ action, people, chatId, next, repeat }, context) => {
    const issue = (message: string) => context.addIssue({ code: "custom", message, path: [] });
    if (action !== "complete" && people === undefined) issue(`people is required for ${action} action`);
    if (chatId && !isChat(chatId)) issue(`invalid chat_id: ${chatId.slice(0, 50)}; send tg:<number> that is not 0, or leave it out`);
    if (action !== "add_recurring") return;
    if (!next) issue("next is required for add_recurring action");
    if (!repeat) issue("repeat is required for add_recurring action");
  });

export const todoUpdate = defineTool({
  name: "todo_update",
  title: "Update the to-dos",
  description:
    "Adds a to-do to the workspace's list with the people whom it mentions, completes one by its meaning, or adds one that comes again and again. Names of people get the address of their contact.",
  family: "todos",
  tier: "extension",
  effect: "write",
  disclosure: { workspaceAvailability: needsModel("todo_update") },
  needs: [todos, agentModel],
  names: {
    parameterAliases: { chat_id: "chatId", tz: "timezone", text: "content", query: "content" },
  },
  primaryArgument: "content",
  timeoutMs: 120_000,
  input,
  approval: {
    effects: ({ action }) =>
      action === "add_recurring" ? [{ kind: "schedule", argument: "/content" }] : [actsInside("changes the shared list of tasks")],
  },
  async execute(args, { todos, model, signal }) {
    const missing = await model.missing();
    if (missing) throw new AppError("unavailable", noModelSentence("todo_update", missing));
    const asker = { model, signal };
    return args.action === "complete" ? complete(args, todos, asker) : add(args, todos, asker);
  },
});

type Args = z.output<typeof input>;
type Asker = { model: AgentModelCapability; signal: AbortSignal };
type Changed = { wip_added: number; wip_removed: number; done_added: number };

async function add({ action, content, people = [], chatId, ...rhythm }: Args, todos: TodosCapability, asker: Asker): Promise<JsonObject> {
  assertReachable(content, await todos.contacts());
  const { text, warnings } = await withAddresses({ content, people }, todos, asker);
  const entry = { content: text, people, chatId: chatId || null };
  if (action === "add_recurring") {
    const { next = "", repeat = "", timezone } = rhythm;
    const made = await todos.addRecurring({ ...entry, next, repeat, timezone });
    const recurring = { id: made.id, next_at: made.nextAt.toISOString(), repeat, timezone };
    return {
      ...(await answer(action, { wip_added: 0, wip_removed: 0, done_added: 0 }, { ...made, doneAt: null }, todos, warnings)),
      recurring,
    };
  }
  const open = await todos.open();
  const duplicate = await findDuplicate(text, open, asker);
  const known = open.find(({ id }) => id === duplicate?.id);
  if (known) {
    const told = [...warnings, "duplicate_of_open_item"];
    return answer(action, { wip_added: 0, wip_removed: 0, done_added: 0 }, known, todos, told);
  }
  return answer(action, { wip_added: 1, wip_removed: 0, done_added: 0 }, await todos.add(entry), todos, warnings);
}

/** Completes names by addresses. A text whose people cannot be resolved is written as it is, with a warning. */
async function withAddresses(
  given: { content: string; people: readonly string[] },
  todos: TodosCapability,
  asker: Asker,
): Promise<{ text: string; warnings: string[] }> {
  const contacts = await todos.contacts();
  if (given.people.length === 0) return { text: given.content, warnings: [] };
  const resolved = contacts.length === 0 ? null : await resolvePeople(given, contacts, asker);
  if (resolved === null) return { text: given.content, warnings: ["reference_unresolved_write_raw"] };
  assertReachable(resolved, contacts);
  return { text: resolved, warnings: [] };
}

async function complete({ content }: Args, todos: TodosCapability, asker: Asker): Promise<JsonObject> {
  const open = await todos.open();
  const matches = open.length === 0 ? [] : await matchTodos(content, open, asker);
  const [match] = matches;
  if (!match) throw new AppError("not_found", "no matching todo item in TODO.md. Send the words of an open to-do.");
  if (matches.length > 1) {
    const texts = matches.slice(0, 5).map(({ content }) => `"${content.slice(0, 100)}"`);
    throw new AppError("conflict", `ambiguous todo item match: ${texts.join(", ")}. Send words that only one of them has.`);
  }
  const done = await todos.complete(match.id);
  if (!done) throw new AppError("not_found", "no matching todo item in TODO.md. Somebody else has just completed it.");
  return answer("complete", { wip_added: 0, wip_removed: 1, done_added: 1 }, done, todos, []);
}

async function answer(
  action: Args["action"],
  changed: Changed,
  { content, createdAt, doneAt }: Pick<TodoRow, "content" | "createdAt" | "doneAt">,
  todos: TodosCapability,
  warnings: readonly string[],
): Promise<JsonObject> {
  const { open, done } = await todos.counts();
  return {
    ok: true,
    action,
    updated_counts: { open_count: open, done_count: done },
    changed,
    entry: { created_at: createdAt.toISOString(), done_at: doneAt?.toISOString() ?? null, content },
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  };
}

function isChat(chatId: string): boolean {
  if (!chat.test(chatId)) return false;
  const number = BigInt(chatId.slice("tg:".length));
  return number < maxInt64 && number >= -maxInt64;
}
