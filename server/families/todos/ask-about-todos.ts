import { z } from "zod";
import type { KnownContact } from "@/server/contacts/known-contacts";
import type { AgentModelCapability } from "@/server/models/agent-model";
import { readJson } from "@/server/models/read-json";
import { AppError } from "@/server/platform/errors";
import type { TodoRow } from "./present-todo";

type Asker = { model: Pick<AgentModelCapability, "ask">; signal: AbortSignal };
type Listed = readonly Pick<TodoRow, "id" | "content">[];

const Resolved = z.object({ content: z.string().trim().max(4_000).default(""), missing: z.array(z.string()).default([]) });
const Matched = z.object({ matches: z.array(z.int().min(1)).max(50) });
const Deduplicated = z.object({ duplicateOf: z.int().min(1).nullable() });

/**
 * Asks for a to-do's text with the address behind each name of a person: `Ask Mei (tg:@mei_lin)`.
 * @returns null when somebody cannot be resolved to one address (`missing_reference_id`)
 * @throws AppError `unavailable` for a reply that is no such text
 */
export async function resolvePeople(
  { content, people }: { content: string; people: readonly string[] },
  contacts: readonly KnownContact[],
  { model, signal }: Asker,
): Promise<string | null> {
  const known = contacts.map(({ name, reachableIds }) => ({ name, reachableIds }));
  const instructions = [
    "Write the address of each mentioned person in parentheses behind the name, and change nothing else of the text.",
    "Use only these contacts and addresses; list people who match none or several in missing.",
    `Contacts: ${JSON.stringify(known)}`,
    'Answer with JSON only: {"content": "the text", "missing": ["names"]}',
  ];
  const reply = await ask(model, instructions, { content, people }, signal);
  const { content: rewritten, missing } = parse(Resolved, reply, "reference_resolve");
  if (missing.length > 0) return null;
  if (rewritten === "") throw invalidReply("reference_resolve");
  return rewritten;
}

/** Asks which open to-dos a text means. @throws AppError `unavailable` for a reply that is no list of numbers */
export async function matchTodos(query: string, open: Listed, { model, signal }: Asker): Promise<Listed> {
  const instructions = [
    "Which of the open to-dos does the query say is done? Name every one that it may mean; name none when it means none.",
    `Open to-dos:\n${numbered(open)}`,
    'Answer with JSON only: {"matches": [numbers]}',
  ];
  const { matches } = parse(Matched, await ask(model, instructions, { query }, signal), "semantic_match");
  return pick(open, [...new Set(matches)], "semantic_match");
}

/** Asks whether a to-do is on the list already. @throws AppError `unavailable` for a reply that is no number of the list */
export async function findDuplicate(content: string, open: Listed, { model, signal }: Asker): Promise<Listed[number] | null> {
  if (open.length === 0) return null;
  const instructions = [
    "Is the new to-do the same task as one of the open to-dos, for the same people? Another detail, time or person makes another task.",
    `Open to-dos:\n${numbered(open)}`,
    'Answer with JSON only: {"duplicateOf": number or null}',
  ];
  const { duplicateOf } = parse(Deduplicated, await ask(model, instructions, { todo: content }, signal), "semantic_dedup");
  return duplicateOf === null ? null : (pick(open, [duplicateOf], "semantic_dedup")[0] ?? null);
}

const numbered = (open: Listed) => open.map(({ content }, index) => `${index + 1}. ${content.replaceAll("\n", " ")}`).join("\n");

function pick(open: Listed, numbers: readonly number[], question: string): Listed[number][] {
  return numbers.map((number) => {
    const found = open[number - 1];
    if (!found) throw invalidReply(question);
    return found;
  });
}

/** Sends what a model or a person wrote as JSON, apart from the instructions. */
function ask(model: Asker["model"], instructions: readonly string[], input: object, signal: AbortSignal): Promise<string> {
  return model.ask({ instructions: instructions.join("\n"), message: JSON.stringify(input), signal });
}

function parse<Shape extends z.ZodType>(shape: Shape, reply: string, question: string): z.output<Shape> {
  const parsed = shape.safeParse(readJson(reply));
  if (!parsed.success) throw invalidReply(question);
  return parsed.data;
}

const invalidReply = (question: string): AppError =>
  new AppError("unavailable", `invalid ${question} response: the model did not answer as it was asked. Send the call again.`);
