import { expect, test } from "vitest";
import { costWords, tokenWords } from "@/components/nouns/runs/cost-words";
import type { Run, RunMessage } from "@/contracts/runs/runs";
import { type ChatPages, runsInOrder, withMessage, withRun } from "./chat-cache";
import { typedSince } from "./composer/drafts";
import { callSummary, parsedArguments } from "./run/call-summary";
import { type LiveReply, nextReply } from "./run/live-reply";
import { runAsCurl } from "./run/run-as-curl";
import { toSteps, turnOf } from "./run/to-steps";

const run = (id: string, more: Partial<Run> = {}) => ({ id, status: "running", ...more }) as Run;
const message = (runId: string, position: number, more: Partial<RunMessage> = {}) =>
  ({ runId, position, role: "assistant", text: "", toolCalls: [], turnId: null, ...more }) as RunMessage;

test("a conversation is in order, and a message that comes twice is shown once", () => {
  let pages: ChatPages | undefined = withRun(undefined, run("a"));
  pages = withRun(pages, run("b"));
  pages = withMessage(pages, message("b", 1));
  pages = withMessage(pages, message("b", 0));
  pages = withMessage(pages, message("b", 1, { text: "again" }));
  pages = withRun(pages, run("b", { status: "succeeded" }));
  const shown = runsInOrder(pages);
  expect(shown.map((entry) => [entry.run.id, entry.run.status])).toEqual([
    ["a", "running"],
    ["b", "succeeded"],
  ]);
  expect(shown[1]?.messages.map(({ position, text }) => [position, text])).toEqual([
    [0, ""],
    [1, "again"],
  ]);
  expect(withMessage(pages, message("unknown", 0))).toEqual(pages);
});

test("a reply grows by its events, begins again after a cut, and goes when its message is stored", () => {
  const events: [string, unknown][] = [
    ["reasoning.delta", { position: 1, text: "Hm" }],
    ["text.delta", { position: 1, text: "Hel" }],
    ["text.delta", { position: 1, text: "lo" }],
  ];
  const reply = events.reduce<LiveReply | null>((before, [name, data]) => nextReply(before, "r", name, data), null);
  expect(reply).toEqual({ runId: "r", position: 1, text: "Hello", reasoning: "Hm", calls: [] });
  expect(nextReply(reply, "r", "step.restarted", { position: 1 })).toMatchObject({ text: "", reasoning: "" });
  expect(nextReply(reply, "r", "text.delta", { position: 3, text: "Next" })).toMatchObject({ position: 3, text: "Next" });
  expect(nextReply(reply, "r", "message.added", { position: 0 }), "an earlier message ends nothing").toBe(reply);
  expect(nextReply(reply, "r", "message.added", { position: 1 })).toBeNull();
  expect(nextReply(reply, "r", "text.delta", null)).toBe(reply);
});

test("a call is shown while the model writes it", () => {
  const deltas = [
    { position: 1, index: 0, name: "write_file", text: '{"path":' },
    { position: 1, index: 0, name: "write_file", text: '"a.txt"}' },
    { position: 1, index: 1, name: "read_file", text: "{" },
    { position: 1, name: "no index", text: "x" },
  ];
  const reply = deltas.reduce<LiveReply | null>((before, data) => nextReply(before, "r", "call.delta", data), null);
  expect(reply?.calls).toEqual([
    { index: 0, name: "write_file", arguments: '{"path":"a.txt"}' },
    { index: 1, name: "read_file", arguments: "{" },
  ]);
  expect(nextReply(reply, "r", "step.restarted", { position: 1 })?.calls).toEqual([]);
});

test("a summary and news of a job stand before the reply that read them, and are no results", () => {
  const { steps } = toSteps([
    message("r", 0, { role: "user", text: "Go on" }),
    message("r", 1, { toolCalls: [{ id: "1", name: "a", arguments: "{}" }] }),
    message("r", 2, { role: "tool" }),
    message("r", 3, { role: "summary", text: "Earlier: much." }),
    message("r", 4, { role: "note", text: "A job ended." }),
    message("r", 5),
  ]);
  expect(steps.map(({ results, notes }) => [results.length, notes.map(({ role }) => role)])).toEqual([
    [1, []],
    [0, ["summary", "note"]],
  ]);
});

test("results belong to the reply before them, and a turn to the calls that it ran", () => {
  const messages = [
    message("r", 0, { role: "user", text: "Do it" }),
    message("r", 1, { toolCalls: [{ id: "1", name: "a", arguments: "{}" }] }),
    message("r", 2, { role: "tool", turnId: "t1" }),
    message("r", 3, { toolCalls: [{ id: "2", name: "b", arguments: "{}" }] }),
  ];
  const { asked, steps } = toSteps(messages);
  expect(asked?.text).toBe("Do it");
  expect(steps.map(({ reply, results }) => [reply.position, results.length])).toEqual([
    [1, 1],
    [3, 0],
  ]);
  expect(turnOf(steps, 0, "t1")).toBe("t1");
  expect(turnOf(steps, 1, "t1"), "the run still names the turn of the step before").toBeNull();
  expect(turnOf(steps, 1, "t2")).toBe("t2");
});

test("a call is summed up by its primary argument", () => {
  expect(callSummary({ flag: true, path: "a.txt", text: "long" }, "path")).toBe("a.txt");
  expect(callSummary({ query: "a\n b" }, null)).toBe("a b");
  expect(callSummary({ list: [1, 2] }, "list")).toBe("[1,2]");
  expect(callSummary(parsedArguments("{broken"), "path")).toBe("");
  expect(callSummary({ text: "x".repeat(500) }, null)).toHaveLength(120);
});

test("the curl command starts the same run and survives quotes", () => {
  const draft = { message: "It's 5 o'clock", conversationId: "c", attachments: ["uploads/a.txt"] };
  const command = runAsCurl({ agentId: "a", draft, publicUrl: "https://handrail.example" });
  expect(command).toContain("curl -X POST https://handrail.example/api/v1/agents/a/runs");
  expect(command).toContain(`"message":"It'\\''s 5 o'\\''clock"`);
  expect(command).toContain('"attachments":["uploads/a.txt"],"wait":60');
});

test.each([
  [null, null],
  [0, "$0"],
  [0.00001, "< $0.0001"],
  [0.00123, "$0.0012"],
  [0.5, "$0.50"],
  [12.345, "$12.35"],
])("a cost of %s dollars is %s", (cost, words) => {
  expect(costWords(cost)).toBe(words);
});

test("tokens are counted in words", () => {
  expect([1, 950, 12_340].map(tokenWords)).toEqual(["1 token", "950 tokens", "12.3K tokens"]);
});

test.each([
  ["Hello", "Hello", ""],
  ["Hello ", "Hello ", ""],
  ["Hello", "Hello and more", "and more"],
  ["Hello", "Another message", "Another message"],
  ["Hello", "", ""],
])("after %j arrived, of the field's %j %j stays", (sent, typed, rest) => {
  expect(typedSince(sent, typed)).toBe(rest);
});
