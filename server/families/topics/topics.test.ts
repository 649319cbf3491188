import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ChannelMessage } from "@/contracts/agents/earlier-channels";
import type { TopicMessage } from "@/contracts/agents/topics";
import type { JsonObject } from "@/contracts/common";
import { conversations, memberships, topicDeliveries, topicMessages, topicWatches, webhookDeliveries, webhooks } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { findConversation } from "@/server/conversations/find-conversation";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database/database";
import { authorize, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { builtinTools } from "@/server/testing/builtin-tools";
import { buildRequest, policyOfRules } from "@/server/testing/guard/guarded-calls";
import { calling, giveModel, rowOf, saying, sentTexts, start, useRunStage } from "@/server/testing/models/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { submitCalls } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import type { AnyTool } from "@/server/tools/define-tool";
import { loadToolScope } from "@/server/tools/list-conversation-tools";
import { syncTools } from "@/server/tools/sync-tools";
import { deliverMessage } from "./deliver-message";
import { earlierChannelAnswers } from "./earlier-endpoints";
import { fillPrompt } from "./fill-prompt";
import { createTopic, listTopics, removeTopic } from "./manage-topics";
import { createWatch, listWatches, removeWatch, switchWatch } from "./manage-watches";
import { sendMessageTool } from "./tools/send-message";
import { watchChannel } from "./tools/watch-channel";
import { listMessages, sendToTopic } from "./topic-messages";
import { topics } from "./topics-capability";

const stage = useRunStage();
const writer = () => authorize(stage.built.admin, "topics:write");
const reader = () => authorize(stage.built.viewer, "turns:read");
const addTopic = (name = "reports") => createTopic(writer(), { name, description: "" });
const addWatch = (topicId: string, agent: string, more = {}) =>
  createWatch(writer(), topicId, { name: "w", agent, prompt: "{sender} in {channel}: {content}", filterSender: null, ...more });
const messages = async (topicId: string) => (await listMessages(reader(), topicId)).items;
const deliveriesOf = async (topicId: string) => (await messages(topicId)).flatMap(({ deliveries }) => deliveries);
const eventually = (topicId: string, expected: Partial<TopicMessage["deliveries"][number]>[]) =>
  expect.poll(() => deliveriesOf(topicId)).toMatchObject(expected);

/**
 * Gives the stage's agent a model and the bus, and adds a second agent with the same model. The stage's tools are foreign ones, whose
 * declared effects do not count, so the tool reads here.
 */
async function twoAgents(script: Parameters<typeof giveModel>[1]) {
  const server = await giveModel(stage, script);
  await buildTools(stage.built.workspace.id, [{ ...sendMessageTool, effect: "read" }], { alias: "bus" });
  const { id } = await buildAgent(stage.built.workspace.id, { name: "checker" });
  return { server, checkerId: id };
}

test("a message of one agent starts the agent that watches the topic, once, for whoever made the watch", async () => {
  const { server, checkerId } = await twoAgents((_, place) =>
    place === 0 ? calling(["send_message", { channel: "reports", message: "March is {sender} ready" }]) : saying("Seen."),
  );
  const topic = await addTopic();
  await addWatch(topic.id, "checker");
  await start(stage, "Send it");
  await eventually(topic.id, [{ watch: "w", agent: "checker", outcome: "started", runId: expect.any(String) }]);
  const [message] = await messages(topic.id);
  expect(message).toMatchObject({ sender: "default", conversationId: stage.conversationId, depth: 1 });
  const [delivery] = message?.deliveries ?? [];
  await expect.poll(async () => (await rowOf(delivery?.runId ?? "")).status).toBe("succeeded");
  expect(await rowOf(delivery?.runId ?? "")).toMatchObject({ agentId: checkerId, requestedBy: { id: stage.built.admin.id } });
  const prompts = server.requests.flatMap((request) => sentTexts(request)).filter((text) => text.startsWith("user: default in"));
  expect(prompts).toEqual(["user: default in reports: March is {sender} ready"]);
  const [conversation] = await db()
    .select()
    .from(conversations)
    .where(eq(conversations.id, delivery?.conversationId ?? ""));
  expect(conversation).toMatchObject({ origin: "delegate", interactive: false, metadata: { topicWatch: { topic: "reports" } } });
});

test("repeated work delivers a message once, and an agent without a model gets a conversation and an event", async () => {
  const topic = await addTopic();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const { workspaceId } = writer();
  await db()
    .insert(webhooks)
    .values({ workspaceId, name: "w", url: "https://example.com/w", secret: "s", events: ["topic_watch.fired", "channel_watch.fired"] });
  const watch = await addWatch(topic.id, "checker");
  const message = await sendToTopic(writer(), topic.id, { text: "Hello" });
  await Promise.all(Array.from({ length: 4 }, () => deliverMessage({ messageId: message.id, watchId: watch.id }, { number: 1 })));
  await eventually(topic.id, [{ outcome: "opened", runId: null }]);
  expect(await db().select().from(topicDeliveries).where(eq(topicDeliveries.watchId, watch.id))).toHaveLength(1);
  const told = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspaceId));
  const payload = { text: "The admin in reports: Hello", topic: "reports", startsRun: false };
  expect(told.map(({ event }) => event).sort()).toEqual(["channel_watch.fired", "topic_watch.fired"]);
  expect(told.find(({ event }) => event === "topic_watch.fired")).toMatchObject({ payload });
  expect(told.find(({ event }) => event === "channel_watch.fired")).toMatchObject({ payload: { ...payload, channel: "reports" } });
});

test("the addresses of before answer with channel and channelId", async () => {
  const { id } = await addTopic();
  await addWatch(id, "default");
  const sent = await sendToTopic(writer(), id, { text: "Hello" });
  const earlier = (path: string) => {
    const found = earlierChannelAnswers.find(({ endpoint }) => endpoint.method === "GET" && endpoint.path === `/api/v1/channels${path}`);
    return found?.handler({ actor: reader(), params: { id }, query: {} } as never);
  };
  expect(await earlier("")).toMatchObject({ items: [{ id, name: "reports" }] });
  expect(ChannelMessage.parse(((await earlier("/{id}/messages")) as { items: unknown[] }).items[0])).toMatchObject({
    ...{ id: sent.id, channelId: id, channel: "reports", text: "Hello" },
  });
  expect(await earlier("/{id}/watches")).toMatchObject({ items: [{ name: "w", channelId: id, channel: "reports" }] });
});

test("an agent is not started by its own messages, nor by those of others than it listens to", async () => {
  await twoAgents([saying("unused")]);
  const topic = await addTopic();
  await addWatch(topic.id, "default");
  await addWatch(topic.id, "checker", { filterSender: "default", name: "only default's" });
  await sendToTopic(writer(), topic.id, { text: "From a person" });
  await eventually(topic.id, [{ agent: "default" }]);
  await submitCalls(stage, [["send_message", { channel: "reports", message: "From an agent" }]]);
  await eventually(topic.id, [{ agent: "checker" }, { agent: "default" }]);
});

test("chains of messages end at five, equal messages start once a minute, and eleven are too many", async () => {
  const topic = await addTopic();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const watch = await addWatch(topic.id, "checker");
  // The engine delivers too, so the watch hears of messages only from this test while it is set up.
  const isWatch = eq(topicWatches.id, watch.id);
  const listen = (enabled: boolean) => db().update(topicWatches).set({ enabled }).where(isWatch);
  const quietly = async (text: string, depth = 1, isOn = true) => {
    await listen(false);
    const { id: messageId } = await sendToTopic(writer(), topic.id, { text });
    await db().update(topicMessages).set({ depth }).where(eq(topicMessages.id, messageId));
    await listen(isOn);
    await deliverMessage({ messageId, watchId: watch.id }, { number: 1 });
    const [row] = await db().select().from(topicDeliveries).where(eq(topicDeliveries.messageId, messageId));
    return row;
  };
  expect(await quietly("off", 1, false)).toMatchObject({ outcome: "skipped", reason: "switched off" });
  expect(await quietly("deep", 5)).toMatchObject({ outcome: "opened" });
  expect(await quietly("too deep", 6)).toMatchObject({ outcome: "skipped", reason: expect.stringContaining("too deep") });
  expect(await quietly("deep", 1)).toMatchObject({ outcome: "skipped", reason: "duplicate" });
  for (let place = 2; place <= 10; place += 1) expect(await quietly(`message ${place}`)).toMatchObject({ outcome: "opened" });
  expect(await quietly("message 11")).toMatchObject({ outcome: "skipped", reason: "rate-limited" });
  expect((await listWatches(reader(), topic.id)).items).toMatchObject([{ lastError: "rate-limited" }]);
  expect(await switchWatch(writer(), watch.id, true)).toMatchObject({ lastError: null });
});

test("a message of a conversation that a message opened is one deeper", async () => {
  await twoAgents((request) =>
    sentTexts(request).some((text) => text.includes("ping")) && !sentTexts(request).some((text) => text.startsWith("tool: "))
      ? calling(["send_message", { channel: "answers", message: "pong" }])
      : saying("Done."),
  );
  const [reports, answers] = [await addTopic(), await addTopic("answers")];
  await addWatch(reports.id, "checker");
  await sendToTopic(writer(), reports.id, { text: "ping" });
  await expect.poll(() => messages(answers.id)).toMatchObject([{ text: "pong", sender: "checker", depth: 2 }]);
});

test("a watch of a removed member is switched off with the reason", async () => {
  await twoAgents([saying("Never.")]);
  const topic = await addTopic();
  await addWatch(topic.id, "checker");
  await db().delete(memberships).where(eq(memberships.userId, stage.built.admin.id));
  await sendToTopic(writer(), topic.id, { text: "Hello" });
  await eventually(topic.id, [{ outcome: "failed", reason: expect.stringContaining("no longer a member") }]);
  expect((await listWatches(reader(), topic.id)).items).toMatchObject([{ enabled: false }]);
});

test("the tools name the topics that there are, and refuse a taken name", async () => {
  await twoAgents([saying("unused")]);
  const ask = async (name: string, args: object) => (await submitCalls(stage, [[name, args as never]])).calls[0]?.content;
  expect(await ask("send_message", { channel: "x", message: "m" })).toContain("The workspace has none");
  await addTopic();
  await addTopic("answers");
  expect(await ask("send_message", { to: "x", content: "m" })).toContain("Available topics: answers, reports.");
  expect(await ask("send_message", { channel: "#reports", message: "m" })).toMatch(/^Sent to #reports\. message_id=/);
  const watch = watchChannel.effects?.({ channelName: "reports", prompt: "p" });
  expect(watch).toEqual([{ kind: "schedule", argument: "/prompt" }]);
});

test("in a group nobody sends messages elsewhere through the agent, nor through its sub-agents; alone they do", async () => {
  const { id: workspaceId } = stage.built.workspace;
  await db().transaction(async (tx) => {
    await syncTools(tx, { workspaceId, mcpServerId: null }, builtinTools);
    await bumpConfigVersion(tx, workspaceId);
  });
  await addTopic();
  const send: JsonObject = { toolName: "send_message", arguments: { channel: "reports", message: "From the group" } };
  const [alone] = (await submitCalls(stage, [["tool_call", send]])).calls;
  expect(alone).toMatchObject({ name: "send_message", status: "succeeded" });
  for (const allowedTools of [null, ["send_message", "tool_call"]]) {
    const group = await buildConversation(stage.built.agentKey, { channel: "telegram:supergroup", allowedTools });
    const scope = await loadToolScope(await findConversation(reader(), group.id));
    expect([...scope.effective.keys()]).not.toContain("send_message");
    stage.conversationId = group.id;
    const [refused] = (await submitCalls(stage, [["tool_call", send]])).calls;
    expect(refused).toMatchObject({ status: "failed", content: expect.stringContaining("not available") });
  }
  const [topic] = (await listTopics(reader())).items;
  expect((await messages(topic?.id ?? "")).map(({ text }) => text)).toEqual(["From the group"]);
});

test("watch_channel answers with the sentence that models know", async () => {
  const topic = await addTopic();
  const { workspace, agentKey } = stage.built;
  const scope = { workspaceId: workspace.id, conversationId: stage.conversationId, actor: agentKey };
  const run = (args: object) => runTool(watchChannel, args as never, { topics: topics.create(scope as never) });
  expect(await run({ channel_name: "reports", prompt: "p {content}", filter_sender: "checker", name: "mine" })).toMatch(
    /^Trigger `watch_channel` correctly set up and running in the background with channel reports from checker\. trigger_id=\S+ name=mine$/,
  );
  await expect(run({ channelName: "reports", prompt: "p", name: "mine" })).rejects.toThrow('a watch named "mine" already');
  await expect(run({ channelName: "nowhere", prompt: "p" })).rejects.toThrow("Available topics: reports.");
  expect((await listWatches(reader(), topic.id)).items).toMatchObject([{ name: "mine", filterSender: "checker", agent: "default" }]);
});

test("topics and watches of another workspace are not found", async () => {
  const topic = await addTopic();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const watch = await addWatch(topic.id, "checker");
  const other = authorize((await buildWorkspace()).admin, "topics:write");
  for (const attempt of [
    () => sendToTopic(other, topic.id, { text: "x" }),
    () => removeTopic(other, topic.id),
    () => removeWatch(other, watch.id),
    () => switchWatch(other, watch.id, false),
    () => createWatch(other, topic.id, { name: "n", agent: "default", prompt: "p", filterSender: null }),
  ]) {
    await expect(attempt()).rejects.toThrow("does not exist");
  }
  await expect(addTopic()).rejects.toThrow('a topic named "reports" already');
  await expect(addWatch(topic.id, "nobody")).rejects.toThrow('no agent "nobody"');
  await removeWatch(writer(), watch.id);
  await removeTopic(writer(), topic.id);
  expect((await listTopics(reader())).items).toEqual([]);
});

test("a prompt is filled in one pass", () => {
  const values = { content: "{sender}", topic: "c", sender: "s$1", message_id: "m" };
  expect(fillPrompt("{content} {channel} {sender} {message_id} {other}", values)).toBe("{sender} c s$1 m {other}");
});

test("by the default policy a message asks nobody, and a watch asks a person", () => {
  const decideOn = ({ name, source, sourceRef, effect, needs, primaryArgument, effects }: AnyTool, args: JsonObject) => {
    const guarded = {
      name,
      source,
      sourceRef,
      effect,
      needs,
      primaryArgument,
      surface: "natural",
      ...(effects ? { effects } : {}),
    } as const;
    const request = buildRequest(guarded, args);
    return decide(policyOfRules([]), { ...request, context: { ...request.context, sandboxed: true } }).verdict;
  };
  expect(decideOn(sendMessageTool, { channel: "reports", message: "m" })).toBe("allow");
  expect(decideOn(watchChannel, { channelName: "reports", prompt: "p" })).toBe("require_approval");
});
