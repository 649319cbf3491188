import { randomBytes, randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { VisitAnswer } from "@/contracts/messengers/messengers";
import { agents, approvals, conversations, messengers } from "@/db/schema";
import { addNewFile } from "@/server/capabilities/files/add-new-file";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { connectMessenger, fetchVisitedFile, visitPage } from "@/server/testing/messengers/messenger-stage";
import { calling, giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";

const stage = useRunStage();
const site = "https://shop.example.com";
const settings = { origins: `${site} http://localhost:8080`, greeting: "How can we help?" };
/** Slower than a visitor's page may ask. */
const polled = { interval: 500 };
const newVisitor = () => randomBytes(32).toString("base64url");
const say = (text: string) => ({ message: { key: randomUUID(), text } });

function requestOf(body: unknown, origin: string | null): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request("http://handrail.test/visits", { method: "POST", body: text, headers: origin === null ? {} : { origin } });
}

async function call(id: string, body: unknown, origin: string | null = site): Promise<VisitAnswer> {
  const response = await visitPage(id, requestOf(body, origin));
  if (!response.ok) throw new Error(await response.text());
  expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  return response.json();
}

/** A refusal that the page can read. */
async function refusal(id: string, body: unknown): Promise<{ status: number; detail: string }> {
  const response = await visitPage(id, requestOf(body, site));
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return { status: response.status, detail: (await response.json()).detail };
}

const readRow = async (id: string) => (await db().select().from(messengers).where(eq(messengers.id, id)))[0];
const textsOf = ({ messages }: VisitAnswer) => messages?.map(({ from, text, file }) => `${from}: ${text}${file ? ` [${file.name}]` : ""}`);

test("a visitor of a site asks, gets an answer with a file, and finds both when the page is opened again", async () => {
  const model = await giveModel(stage, [
    saying("**Yes**, we are open."),
    calling(["channel_send_file", { path: "made/hours.txt", caption: "Our hours" }]),
    saying("There it is."),
  ]);
  const { id } = await connectMessenger(stage, { platform: "website", settings });
  const visitor = newVisitor();
  expect(await call(id, { visitor })).toMatchObject({ greeting: "How can we help?", isWorking: false, messages: [] });

  const question = say("Are you open?");
  expect(await call(id, { visitor, ...question })).toMatchObject({ isWorking: true });
  const asked = ["visitor: Are you open?", "agent: Yes, we are open."];
  await expect.poll(async () => textsOf(await call(id, { visitor })), polled).toEqual(asked);
  await call(id, { visitor, ...question });
  await expect.poll(async () => (await call(id, { visitor })).isWorking, polled).toBe(false);
  expect(textsOf(await call(id, { visitor })), "a message that is sent again is taken once").toEqual(asked);
  expect(model.requests).toHaveLength(1);

  const [conversation] = await db()
    .select()
    .from(conversations)
    .where(and(eq(conversations.workspaceId, stage.built.workspace.id), eq(conversations.origin, "messenger")));
  const [agent] = await db().select().from(agents).where(eq(agents.id, stage.built.agent.id));
  if (!conversation || !agent) throw new Error("no conversation has begun");
  const folder = workspaceFiles(workspaceFolder(conversation, agent));
  await addNewFile(folder, "made", { name: "hours.txt", bytes: Buffer.from("9 to 5") });
  await call(id, { visitor, ...say("Send me the hours") });
  await expect
    .poll(async () => textsOf(await call(id, { visitor })), polled)
    .toEqual([...asked, "visitor: Send me the hours", "agent: Our hours [hours.txt]", "agent: There it is."]);
  expect(await db().$count(approvals, eq(approvals.workspaceId, stage.built.workspace.id)), "nobody was asked").toBe(0);

  const answer = await call(id, { visitor });
  const part = answer.messages?.find(({ file }) => file);
  const file = await fetchVisitedFile({ id, partId: part?.id ?? "" }, requestOf({ visitor }, site));
  expect(await file.text()).toBe("9 to 5");
  expect(file.headers.get("access-control-allow-origin")).toBe(site);
  expect((await call(id, { visitor, tag: answer.tag })).messages, "what is known is not sent again").toBeNull();

  const stranger = newVisitor();
  expect((await call(id, { visitor: stranger })).messages, "another visitor sees nothing of it").toEqual([]);
  expect((await fetchVisitedFile({ id, partId: part?.id ?? "" }, requestOf({ visitor: stranger }, site))).status).toBe(404);
});

test("a visitor reads that a person decides, and neither what about nor who it was", async () => {
  await giveModel(stage, [calling(["change", { text: "customer 4711" }]), saying("It is changed.")]);
  const { id } = await connectMessenger(stage, { platform: "website", settings });
  const visitor = newVisitor();
  await call(id, { visitor, ...say("Change my address") });
  await expect
    .poll(async () => textsOf(await call(id, { visitor })), polled)
    .toMatchObject([{}, expect.stringContaining("needs the approval")]);
  await call(id, { visitor, ...say("/approve") });
  await expect
    .poll(async () => textsOf(await call(id, { visitor })), polled)
    .toContainEqual(expect.stringContaining("decides this elsewhere"));
  const [approval] = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
  await decideWithEdits(authorize(stage.built.approver, "approvals:decide"), approval?.id ?? "", { decision: "approve", comment: "" });
  await expect.poll(async () => textsOf(await call(id, { visitor })), polled).toContain("agent: It is changed.");
  const shown = textsOf(await call(id, { visitor }))?.join("\n");
  expect(shown).toContain("Approved");
  expect(shown).not.toMatch(/4711|approver|http|Contacts/);
});

test("a visitor's commands tell nothing of the workspace's agents, models and members", async () => {
  await giveModel(stage, []);
  const { id } = await connectMessenger(stage, { platform: "website", settings });
  const visitor = newVisitor();
  for (const command of ["/status", "/model", "/link 123", "/help"]) await call(id, { visitor, ...say(command) });
  const answers = async () => textsOf(await call(id, { visitor }))?.filter((text) => text.startsWith("agent: "));
  await expect.poll(answers, polled).toHaveLength(4);
  expect(new Set(await answers())).toEqual(
    new Set(["agent: Write what you want to know. /new begins a new conversation, and /stop stops the work that goes on."]),
  );
});

test("a visitor is not told of settings and providers when there is no answer", async () => {
  const { id } = await connectMessenger(stage, { platform: "website", settings });
  const visitor = newVisitor();
  await call(id, { visitor, ...say("Are you open?") });
  await expect
    .poll(async () => textsOf(await call(id, { visitor })), polled)
    .toEqual(["visitor: Are you open?", "agent: ⚠️ There is no answer at present. Please try again later."]);
});

describe("a website's chat", () => {
  test("is for pages of the named sites; the admin reads which other site asked", async () => {
    const { id } = await connectMessenger(stage, { platform: "website", settings });
    await expect.poll(async () => (await readRow(id))?.state).toBe("connected");
    for (const origin of ["https://shop.example.com.evil.net", "http://shop.example.com", "null", null])
      await expect(call(id, { visitor: newVisitor() }, origin)).rejects.toThrow("none of the sites");
    expect((await readRow(id))?.lastError).toBe(
      "A page of https://shop.example.com.evil.net asked for the chat. It is none of the messenger's sites.",
    );
  });

  test("is not there when the messenger is off or of another platform", async () => {
    const { id } = await connectMessenger(stage, { platform: "website", settings, enabled: false });
    await expect(call(id, { visitor: newVisitor() })).rejects.toThrow("No chat is shown");
    await expect(call(randomUUID(), { visitor: newVisitor() })).rejects.toThrow("No chat is shown");
  });

  test("refuses bad input with a sentence that the page shows", async () => {
    const { id } = await connectMessenger(stage, { platform: "website", settings });
    expect(await refusal(id, "{")).toEqual({ status: 400, detail: expect.stringContaining("The body is not valid JSON") });
    expect(await refusal(id, { visitor: "me" })).toMatchObject({ status: 422, detail: expect.stringContaining("visitor: must be 43") });
    expect(await refusal(id, { visitor: newVisitor(), ...say(" ") })).toMatchObject({ status: 422 });
    expect(await refusal(id, { visitor: newVisitor(), ...say("x".repeat(4_001)) })).toMatchObject({ status: 422 });
    expect(await refusal(id, "x".repeat(40_000))).toMatchObject({ status: 413 });
  });

  test("takes ten messages at once from a visitor, and from all of them what its setting says", async () => {
    const { id } = await connectMessenger(stage, { platform: "website", settings: { ...settings, messagesPerMinute: "12" } });
    const visitor = newVisitor();
    for (let at = 0; at <= 10; at += 1) await call(id, { visitor, ...say(`word ${at}`) });
    expect(await refusal(id, { visitor, ...say("one more") })).toMatchObject({ status: 429, detail: expect.stringContaining("Too many") });
    const others = [newVisitor(), newVisitor(), newVisitor()];
    await call(id, { visitor: others[0], ...say("me too") });
    await call(id, { visitor: others[1], ...say("me too") });
    expect(await refusal(id, { visitor: others[2], ...say("me too") })).toMatchObject({ status: 429 });
  });

  test.each([
    [{ origins: "shop.example.com" }, "shop.example.com is no address of a site"],
    [{ origins: "https://shop.example.com/chat" }, "is no address of a site"],
    [{ origins: "*" }, "is no address of a site"],
    [{ origins: " " }, "Website needs: Sites"],
    [{ origins: site, messagesPerMinute: "0" }, "whole number from 1 to 10000"],
  ])("is not saved with the settings %j", async (wrong, sentence) => {
    await expect(connectMessenger(stage, { platform: "website", settings: wrong })).rejects.toThrow(sentence);
  });
});
