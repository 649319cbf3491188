import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { runMessages } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { ModelServerRequest } from "@/server/testing/models/model-protocol-server";
import { calling, giveModel, saying, sentTexts, start, useRunStage } from "@/server/testing/models/run-stage";
import "@/server/testing/builtin-tools";
import { provideContextNote } from "./context-notes";
import { contextTokens, imageTokens } from "./context-size";
import { type HistoryMessage, readHistory } from "./history";
import { pinnedResults, toTranscript, withinRoom } from "./transcript";

const stage = useRunStage();

const isSummary = ({ body }: ModelServerRequest) => JSON.stringify(body.messages).includes("You summarise a conversation");
const usage = { input: 0, cached: 0, output: 0 };

test("a conversation above its budget is summarised by the model, and open tasks survive", async () => {
  provideContextNote("probe", async (conversationId) => `Open in ${conversationId}: count the words`);
  let asked = 0;
  const server = await giveModel(
    stage,
    (request) => {
      if (isSummary(request)) return { text: ["The words were read."], usage: { input: 500, cached: 0, output: 20 } };
      asked += 1;
      return asked <= 4 ? { ...calling(["flood", { chars: 3_000 + asked }]), usage } : { ...saying("Done."), usage };
    },
    { runLimits: { contextTokens: 2_500 } },
  );
  const run = await start(stage, "Read the words of Ms. Unusual");
  expect(run).toMatchObject({ status: "succeeded", answer: "Done.", steps: 5 });
  const summaries = server.requests.filter(isSummary);
  expect(summaries.length).toBeGreaterThanOrEqual(1);
  // The server counts nothing for the other requests, so they are estimated.
  expect(run.usage.inputTokens).toBeGreaterThan(500 * summaries.length);
  expect(run.usage.isEstimated).toBe(true);
  const last = server.requests.findLast((request) => !isSummary(request));
  const texts = last ? sentTexts(last) : [];
  const summary = texts.find((text) => text.startsWith("user: [The conversation so far was summarised"));
  expect(summary).toContain("The words were read.");
  expect(summary).toContain("Read the words of Ms. Unusual");
  expect(summary).toContain(`Open in ${stage.conversationId}: count the words`);
  expect(texts.filter((text) => text.startsWith("tool: ")).length).toBeLessThan(4);
  // The rows keep everything.
  const rows = await db().select().from(runMessages).where(eq(runMessages.runId, run.id)).orderBy(runMessages.position);
  expect(rows.filter(({ role }) => role === "tool")).toHaveLength(4);
  expect(rows.filter(({ role }) => role === "summary")).toHaveLength(summaries.length);
  const again = await start(stage, "And now?");
  expect(again.status).toBe("succeeded");
  const next = server.requests.findLast((request) => !isSummary(request));
  expect(next && sentTexts(next).join()).toContain("The words were read.");
  expect(next && sentTexts(next).at(-1)).toBe("user: And now?");
});

test("each of ten summaries of a long run holds the user's request word for word, whatever the model writes", async () => {
  const request = "Count the words of Ms. Unusual, write them to words-42.txt, and never mention the moon.";
  let summaries = 0;
  let steps = 0;
  const server = await giveModel(
    stage,
    (asked) => {
      if (isSummary(asked)) {
        summaries += 1;
        return saying("Things were read.");
      }
      if (summaries >= 10) return saying("Done.");
      steps += 1;
      return calling(["flood", { chars: 3_000 + steps }]);
    },
    { runLimits: { contextTokens: 2_500, steps: 400, tokens: 100_000_000 } },
  );
  const run = await start(stage, request, { wait: 60 });
  expect(run).toMatchObject({ status: "succeeded", answer: "Done." });
  const rows = await db().select().from(runMessages).where(eq(runMessages.runId, run.id)).orderBy(runMessages.position);
  const written = rows.filter(({ role }) => role === "summary").map(({ content }) => content.text);
  expect(written).toHaveLength(10);
  for (const text of written) expect(text.split(request)).toHaveLength(2);
  const steady = server.requests.filter((asked) => !isSummary(asked));
  for (const asked of steady) expect(sentTexts(asked).join("\n")).toContain(request);
}, 60_000);

test("a model that finds the request too long gets a summary, and the run goes on", async () => {
  let refused = 0;
  const server = await giveModel(stage, (request) => {
    if (isSummary(request)) return saying("In short: words.");
    const results = sentTexts(request).filter((text) => text.startsWith("tool: ")).length;
    if (results < 2) return refused > 0 ? saying("Done.") : calling(["flood", { chars: 3_000 + results }]);
    refused += 1;
    return { status: 400, message: "This model's maximum context length is 1000 tokens. Your messages resulted in 2000 tokens." };
  });
  const run = await start(stage, "Read on");
  expect(run).toMatchObject({ status: "succeeded", answer: "Done." });
  expect(server.requests.filter(isSummary)).toHaveLength(1);
});

const message = (
  position: number,
  role: HistoryMessage["role"],
  content: Partial<HistoryMessage["content"]>,
  used?: number,
): HistoryMessage => ({
  runId: "a",
  position,
  role,
  content: { text: "", ...content },
  usage: used === undefined ? null : { inputTokens: used, cachedInputTokens: 0, outputTokens: 0, costUsd: null, isEstimated: false },
});

test("a summary stands for the messages before its mark, wherever it was written", () => {
  const all = [
    message(0, "user", { text: "old" }),
    message(1, "assistant", { text: "old" }),
    message(2, "user", { text: "new" }),
    message(3, "summary", { text: "sum", summarisesUntil: { runId: "a", position: 2 } }),
    message(4, "assistant", { text: "newer" }),
  ];
  const { summary, messages } = readHistory(all);
  expect(summary?.content.text).toBe("sum");
  expect(messages.map(({ content }) => content.text)).toEqual(["new", "newer"]);
});

test("the size is the provider's count and what came since; images count by their pixels, the latest only", () => {
  const images = Array.from({ length: 12 }, (_, index) => ({ artifactId: `${index}`, mediaType: "image/png", tokens: 100 }));
  expect(imageTokens([message(0, "tool", { images })])).toBe(800);
  const history = readHistory([message(0, "user", { text: "x" }), message(1, "assistant", {}, 9_000), message(2, "tool", { images })]);
  expect(contextTokens(history, { instructions: "", tools: [] })).toBe(9_000 + 4 + 800);
});

test("documentation that the model has read stays word for word, and failed or other results do not", () => {
  const call = (id: string, name: string) => message(0, "assistant", { toolCalls: [{ id, name, arguments: '{"toolName":"a"}' }] });
  const result = (callId: string, name: string, text: string, isError = false) => message(0, "tool", { callId, name, text, isError });
  const pinned = pinnedResults([
    call("1", "tool_describe"),
    result("1", "tool_describe", "first"),
    call("2", "read_file"),
    result("2", "read_file", "file"),
    call("3", "tool_describe"),
    result("3", "tool_describe", "second"),
    call("4", "info"),
    result("4", "info", "broken", true),
  ]);
  expect(pinned).toEqual(['Result of tool_describe {"toolName":"a"}:\nsecond']);
  expect(withinRoom(["a".repeat(30_000), "b".repeat(30_000)]).map((text) => text[0])).toEqual(["b"]);
});

test("a transcript keeps the beginning and the end of what is too long", () => {
  const text = toTranscript([message(0, "user", { text: `begin${"x".repeat(50_000)}end` })], 10_000);
  expect(text).toMatch(/^User: begin.*characters left out.*end$/s);
  expect(text.length).toBeLessThan(4_200);
});
