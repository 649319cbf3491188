import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { activations, mcpServers, resourceLinks } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { buildConversation } from "@/server/testing/builders";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import type { PersonQuestion } from "@/server/tools/define-tool";
import { mcpConnections } from "./connections";

const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
const { connected, house, run, start } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

async function originOf() {
  const { workspace, admin, agent } = house();
  const { id: conversationId } = await buildConversation(admin, { agentId: agent.id });
  return { workspaceId: workspace.id, conversationId, requestedBy: { type: "user" as const, id: admin.id, name: "Ada" } };
}

/** Answers questions in turn and remembers them. */
function person(...answers: (string | null)[]) {
  const questions: PersonQuestion[] = [];
  const ask = async (question: PersonQuestion) => {
    questions.push(question);
    const answer = answers.shift();
    if (answer == null) throw new AppError("conflict", "The person declined to answer.");
    return answer;
  };
  return { questions, ask };
}

test("a faulty block costs that block, and a mismatch with the output schema is a note", async () => {
  await start();
  const { id } = await connected("full", [full]);
  expect(await run(id, "full__odd_blocks")).toBe(
    [
      "before",
      "[left out: a faulty or unknown block of the type hologram]",
      "[left out: a faulty or unknown block of the type image]",
      "[1-image.png: image/png, 3 bytes]",
      "after",
    ].join("\n"),
  );
  expect(await run(id, "full__measure")).toBe(
    "measured\n[The structured content does not fit the tool's output schema: width must be number]",
  );
  expect(await run(id, "full__list_of")).toBe('{"result":["a","b"]}');
});

test("a task is polled until its result is there, roots are an empty list, and sampling is not supported", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const progress = vi.fn();
  expect(await run(id, "full__long_work", {}, { progress })).toBe("worked");
  expect(progress).toHaveBeenCalledWith("half way");
  expect(await run(id, "full__roots")).toBe('{"roots":[]}');
  expect(await run(id, "full__sample")).toContain("-32601");
});

test("a form is asked field by field, wrong answers are asked again, and a refusal declines the form", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const fields = {
    properties: {
      name: { type: "string", title: "Your name", minLength: 2 },
      age: { type: "integer", minimum: 18 },
      plan: { type: "string", enum: ["free", "paid"], enumNames: ["Free", "Paid"] },
      news: { type: "boolean" },
    },
    required: ["name", "age", "plan"],
  };
  const ada = person("Ada", "young", "7", "36", "Paid", "Skip");
  expect(await run(id, "full__sign_up", { fields }, { ask: ada.ask })).toBe(
    JSON.stringify({ action: "accept", content: { name: "Ada", age: 36, plan: "paid" } }),
  );
  expect(ada.questions[0]?.text).toBe("The MCP server full asks: Please sign up\n\nYour name");
  expect(ada.questions[2]?.text).toContain("The last answer does not fit: Answer with a whole number.");
  expect(ada.questions[3]?.text).toContain("The last answer does not fit: age must be >= 18");
  expect(ada.questions[4]?.options).toEqual(["Free", "Paid"]);
  expect(ada.questions[5]?.options).toEqual(["Yes", "No", "Skip"]);
  expect(await run(id, "full__sign_up", { fields }, { ask: person(null).ask })).toBe('{"action":"decline"}');
  // Nobody can be asked, which is no refusal.
  expect(await run(id, "full__sign_up", { fields })).toBe('{"action":"cancel"}');
  const late = { ask: () => Promise.reject(new AppError("timed_out", "Nobody answered the question in time.")) };
  expect(await run(id, "full__sign_up", { fields }, late)).toBe(
    '[full asked a question that nobody answered: Nobody answered the question in time.]\n{"action":"cancel"}',
  );
});

test("an address is shown as a link after its check, and a bad one is shown to nobody", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const ada = person("Done");
  expect(await run(id, "full__visit", { url: "https://login.example.com/x?state=1" }, { ask: ada.ask })).toBe('{"action":"accept"}');
  expect(ada.questions).toEqual([
    {
      text: "The MCP server full asks you to open a page at login.example.com: Sign in there",
      options: ["Done", "Decline"],
      url: "https://login.example.com/x?state=1",
    },
  ]);
  const bob = person("Done");
  for (const url of ["http://example.com/", "https://127.0.0.1/", "https://bank.com@evil.example/", "javascript:alert(1)"])
    expect(await run(id, "full__visit", { url }, { ask: bob.ask })).toBe(
      '[full asked a question that nobody answered: Its address is none that a person should open.]\n{"action":"cancel"}',
    );
  expect(bob.questions).toEqual([]);
});

test("the questions of two conversations to one program both reach the people of their own call", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const [one, two] = [await originOf(), await originOf()];
  const slow = Promise.withResolvers<string>();
  const ada = { ask: vi.fn(() => slow.promise) };
  const bob = { ask: vi.fn(async (_question: PersonQuestion) => "Accept") };
  const waiting = run(id, "full__sign_up", { fields: { properties: {} } }, { ...ada, origin: one });
  await vi.waitFor(() => expect(ada.ask).toHaveBeenCalled());
  expect(await run(id, "full__sign_up", { fields: { properties: {} } }, { ...bob, origin: two })).toBe('{"action":"accept","content":{}}');
  expect(bob.ask.mock.lastCall?.[0].text).toContain("The MCP server full asks:");
  slow.resolve("Accept");
  expect(await waiting).toBe('{"action":"accept","content":{}}');
});

test("links of a result are remembered for their conversation, and show the tool that reads them", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const origin = await originOf();
  expect(await run(id, "full__links", {}, { origin })).toContain("Note one: note://one (text/plain) - Read it with read_resource.");
  expect(await db().$count(resourceLinks, eq(resourceLinks.conversationId, origin.conversationId))).toBe(3);
  const shown = await db().select().from(activations).where(eq(activations.conversationId, origin.conversationId));
  expect(shown.map(({ toolName }) => toolName)).toEqual(["read_resource"]);
});

test("resources, prompts, log messages and instructions of a server are read", async () => {
  await start();
  const { id } = await connected("full", [full]);
  const connection = mcpConnections().find(id);
  expect((await connection?.session()?.listResources())?.items.map(({ uri, isTemplate }) => [uri, isTemplate])).toEqual([
    ["note://listed", false],
    ["note://one", false],
    ["note://{name}", true],
  ]);
  expect((await connection?.session()?.listPrompts())?.items).toEqual([
    {
      name: "review",
      title: "Review",
      description: "Reviews code",
      arguments: [{ name: "file", description: "", required: true }],
    },
  ]);
  await run(id, "full__logs");
  expect(connection?.log.newest().map(({ level, logger, text }) => [level, logger, text])).toEqual([
    ["error", "db", "a error"],
    ["info", "db", "a info"],
  ]);
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, id));
  expect(row?.instructions).toContain("Open a page before you take a snapshot.");
});
