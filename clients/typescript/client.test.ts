import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FinishedJob } from "@/contracts/calls/jobs";
import { executableTools, openConversation, runChatCalls, runLangChainCalls, runLoop, runResponseCalls } from "./src/index";

const picture = Buffer.from("a picture");
const pictureUrl = `data:image/png;base64,${picture.toString("base64")}`;
const artifact = { type: "artifact", artifactId: "art_1", mediaType: "image/png", bytes: picture.length, image: { width: 2, height: 2 } };
const finishedJob = {
  jobId: "job_1",
  name: "shell_execute",
  status: "succeeded",
  isError: false,
  content: "built",
  finishedAt: "2026-11-26T10:00:00.000Z",
} satisfies FinishedJob;

let jobs: FinishedJob[] = [];
let turns: string[][] = [];
/** Speaks the part of the HTTP contract that the client uses. A call of `look` answers with a picture. */
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const answer = (value: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  const { pathname } = new URL(request.url ?? "", "http://localhost");
  if (pathname.endsWith("/artifacts/art_1")) return response.writeHead(200).end(picture);
  if (pathname.endsWith("/tools"))
    return answer({
      tools: turns.length > 0 ? [tool("look"), tool("late")] : [tool("look")],
      directory: "",
      hints: "Hints",
      sections: "<memory>Ann prefers trains</memory>",
    });
  if (pathname.endsWith("/conversations")) return answer({ id: "conv_1" });
  const { calls } = JSON.parse(body) as { calls: { id: string; name: string }[] };
  turns.push(calls.map(({ id }) => id));
  const results = calls.map(({ id, name }) => {
    return { id, name, status: "succeeded", isError: false, content: `${name} ${id}`, contentParts: name === "look" ? [artifact] : [] };
  });
  answer({
    id: "turn_1",
    conversationId: "conv_1",
    status: "completed",
    calls: results,
    ...(jobs.length > 0 ? { finishedJobs: jobs } : {}),
  });
  jobs = [];
});
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

let url = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});
const open = () => {
  turns = [];
  return openConversation({ url, apiKey: "hr_test" });
};
const chatCall = (id: string, name: string) => ({ id, type: "function", function: { name, arguments: "{}" } });

test("the results of background jobs stand behind the last result, once", async () => {
  const conversation = await open();
  jobs = [finishedJob];
  const calls = [chatCall("a", "late"), chatCall("b", "late")];
  expect(await runChatCalls(conversation, calls)).toEqual([
    { role: "tool", tool_call_id: "a", content: "late a" },
    { role: "tool", tool_call_id: "b", content: "late b\n\n[Background job job_1 (shell_execute): succeeded]\nbuilt" },
  ]);
  expect((await runChatCalls(conversation, calls)).at(-1)).toMatchObject({ content: "late b" });
  jobs = [{ ...finishedJob, contentParts: [artifact as never] }];
  expect((await runChatCalls(conversation, calls)).at(-1)).toMatchObject({ role: "user", content: [{ image_url: { url: pictureUrl } }] });
  jobs = [finishedJob];
  const turn = await conversation.runTurn([{ id: "a", name: "late", arguments: {} }]);
  expect(turn).toMatchObject({ finishedJobs: [finishedJob], calls: [{ content: "late a" }] });
});

test("images reach the model in the shape of each library", async () => {
  const conversation = await open();
  const shown = { role: "user", content: [{ type: "image_url", image_url: { url: pictureUrl } }] };
  expect(await runLangChainCalls(conversation, [{ id: "a", name: "look", args: {} }])).toEqual([
    { role: "tool", tool_call_id: "a", name: "look", content: "look a", status: "success" },
    shown,
  ]);
  expect((await runChatCalls(conversation, [chatCall("a", "look")])).at(-1)).toEqual(shown);
  const called = { type: "function_call", call_id: "a", name: "look", arguments: "{}" };
  expect(await runResponseCalls(conversation, [called])).toMatchObject([
    {
      call_id: "a",
      output: [
        { type: "input_text", text: "look a" },
        { type: "input_image", image_url: pictureUrl },
      ],
    },
  ]);
});

test("calls that a framework starts together are one turn, and each gets its own text and images", async () => {
  const { tools, refresh } = await executableTools(await open(), (_tool, execute) => execute);
  expect(Object.keys(tools)).toEqual(["look"]);
  const results = await Promise.all([tools.look?.({}, "a"), tools.look?.({}, "b")]);
  expect(results).toEqual([
    { text: "look a", images: [pictureUrl] },
    { text: "look b", images: [pictureUrl] },
  ]);
  expect(turns).toEqual([["a", "b"]]);
  await refresh();
  expect(Object.keys(tools)).toEqual(["look", "late"]);
});

test("the loop lists the tools before each step, and ends with the reply that calls none", async () => {
  const conversation = await open();
  const seen: string[][] = [];
  const history: object[] = [];
  const loop = {
    format: "openai" as const,
    run: runChatCalls,
    append: (results: object[]) => history.push(...results),
  };
  const answer = await runLoop(conversation, {
    ...loop,
    ask: async (tools: { name: string }[], instructions) => {
      expect(instructions).toBe("Hints\n<memory>Ann prefers trains</memory>");
      seen.push(tools.map(({ name }) => name));
      return seen.length === 1 ? { calls: [chatCall("a", "late")], answer: null } : { calls: [], answer: "done" };
    },
  });
  expect(answer).toBe("done");
  expect(seen).toEqual([["look"], ["look", "late"]]);
  expect(history).toEqual([{ role: "tool", tool_call_id: "a", content: "late a" }]);
  const endless = runLoop(conversation, { ...loop, maxSteps: 2, ask: async () => ({ calls: [chatCall("a", "late")], answer: null }) });
  await expect(endless).rejects.toThrow("still calls tools after 2 steps. Raise maxSteps");
});
