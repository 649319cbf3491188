import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { ChannelMessage } from "@/contracts/channels";
import type { JsonObject } from "@/contracts/common";
import { channelDeliveries, channelMessages, channelWatches, conversations, memberships, webhookDeliveries, webhooks } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { findConversation } from "@/server/conversations/find-conversation";
import { decide } from "@/server/guard/decide";
import { db } from "@/server/platform/database";
import { authorize, buildAgent, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { builtinTools } from "@/server/testing/builtin-tools";
import { buildRequest, policyOfRules } from "@/server/testing/guarded-calls";
import { calling, giveModel, rowOf, saying, sentTexts, start, useRunStage } from "@/server/testing/run-stage";
import { runTool } from "@/server/testing/run-tool";
import { submitCalls } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import type { AnyTool } from "@/server/tools/define-tool";
import { loadToolScope } from "@/server/tools/list-conversation-tools";
import { syncTools } from "@/server/tools/sync-tools";
import { listMessages, sendToChannel } from "./channel-messages";
import { channels } from "./channels-capability";
import { deliverMessage } from "./deliver-message";
import { fillPrompt } from "./fill-prompt";
import { createChannel, listChannels, removeChannel } from "./manage-channels";
import { createWatch, listWatches, removeWatch, switchWatch } from "./manage-watches";
import { sendMessageTool } from "./tools/send-message";
import { watchChannel } from "./tools/watch-channel";

const stage = useRunStage();
const writer = () => authorize(stage.built.admin, "channels:write");
const reader = () => authorize(stage.built.viewer, "turns:read");
const addChannel = (name = "reports") => createChannel(writer(), { name, description: "" });
const addWatch = (channelId: string, agent: string, more = {}) =>
  createWatch(writer(), channelId, { name: "w", agent, prompt: "{sender} in {channel}: {content}", filterSender: null, ...more });
const messages = async (channelId: string) => (await listMessages(reader(), channelId)).items;
const deliveriesOf = async (channelId: string) => (await messages(channelId)).flatMap(({ deliveries }) => deliveries);
const eventually = (channelId: string, expected: Partial<ChannelMessage["deliveries"][number]>[]) =>
  expect.poll(() => deliveriesOf(channelId)).toMatchObject(expected);

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

test("a message of one agent starts the agent that watches the channel, once, for whoever made the watch", async () => {
  const { server, checkerId } = await twoAgents((_, place) =>
    place === 0 ? calling(["send_message", { channel: "reports", message: "March is {sender} ready" }]) : saying("Seen."),
  );
  const channel = await addChannel();
  await addWatch(channel.id, "checker");
  await start(stage, "Send it");
  await eventually(channel.id, [{ watch: "w", agent: "checker", outcome: "started", runId: expect.any(String) }]);
  const [message] = await messages(channel.id);
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
  expect(conversation).toMatchObject({ origin: "delegate", interactive: false, metadata: { channelWatch: { channel: "reports" } } });
});

test("repeated work delivers a message once, and an agent without a model gets a conversation and an event", async () => {
  const channel = await addChannel();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const { workspaceId } = writer();
  await db()
    .insert(webhooks)
    .values({ workspaceId, name: "w", url: "https://example.com/w", secret: "s", events: ["channel_watch.fired"] });
  const watch = await addWatch(channel.id, "checker");
  const message = await sendToChannel(writer(), channel.id, { text: "Hello" });
  await Promise.all(Array.from({ length: 4 }, () => deliverMessage({ messageId: message.id, watchId: watch.id }, { number: 1 })));
  await eventually(channel.id, [{ outcome: "opened", runId: null }]);
  expect(await db().select().from(channelDeliveries).where(eq(channelDeliveries.watchId, watch.id))).toHaveLength(1);
  const [told] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.workspaceId, workspaceId));
  expect(told).toMatchObject({ event: "channel_watch.fired", payload: { text: "The admin in reports: Hello", startsRun: false } });
});

test("an agent is not started by its own messages, nor by those of others than it listens to", async () => {
  await twoAgents([saying("unused")]);
  const channel = await addChannel();
  await addWatch(channel.id, "default");
  await addWatch(channel.id, "checker", { filterSender: "default", name: "only default's" });
  await sendToChannel(writer(), channel.id, { text: "From a person" });
  await eventually(channel.id, [{ agent: "default" }]);
  await submitCalls(stage, [["send_message", { channel: "reports", message: "From an agent" }]]);
  await eventually(channel.id, [{ agent: "checker" }, { agent: "default" }]);
});

test("chains of messages end at five, equal messages start once a minute, and eleven are too many", async () => {
  const channel = await addChannel();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const watch = await addWatch(channel.id, "checker");
  // The engine delivers too, so the watch hears of messages only from this test while it is set up.
  const isWatch = eq(channelWatches.id, watch.id);
  const listen = (enabled: boolean) => db().update(channelWatches).set({ enabled }).where(isWatch);
  const quietly = async (text: string, depth = 1, isOn = true) => {
    await listen(false);
    const { id: messageId } = await sendToChannel(writer(), channel.id, { text });
    await db().update(channelMessages).set({ depth }).where(eq(channelMessages.id, messageId));
    await listen(isOn);
    await deliverMessage({ messageId, watchId: watch.id }, { number: 1 });
    const [row] = await db().select().from(channelDeliveries).where(eq(channelDeliveries.messageId, messageId));
    return row;
  };
  expect(await quietly("off", 1, false)).toMatchObject({ outcome: "skipped", reason: "switched off" });
  expect(await quietly("deep", 5)).toMatchObject({ outcome: "opened" });
  expect(await quietly("too deep", 6)).toMatchObject({ outcome: "skipped", reason: expect.stringContaining("too deep") });
  expect(await quietly("deep", 1)).toMatchObject({ outcome: "skipped", reason: "duplicate" });
  for (let place = 2; place <= 10; place += 1) expect(await quietly(`message ${place}`)).toMatchObject({ outcome: "opened" });
  expect(await quietly("message 11")).toMatchObject({ outcome: "skipped", reason: "rate-limited" });
  expect((await listWatches(reader(), channel.id)).items).toMatchObject([{ lastError: "rate-limited" }]);
  expect(await switchWatch(writer(), watch.id, true)).toMatchObject({ lastError: null });
});

test("a message of a conversation that a message opened is one deeper", async () => {
  await twoAgents((request) =>
    sentTexts(request).some((text) => text.includes("ping")) && !sentTexts(request).some((text) => text.startsWith("tool: "))
      ? calling(["send_message", { channel: "answers", message: "pong" }])
      : saying("Done."),
  );
  const [reports, answers] = [await addChannel(), await addChannel("answers")];
  await addWatch(reports.id, "checker");
  await sendToChannel(writer(), reports.id, { text: "ping" });
  await expect.poll(() => messages(answers.id)).toMatchObject([{ text: "pong", sender: "checker", depth: 2 }]);
});

test("a watch of a removed member is switched off with the reason", async () => {
  await twoAgents([saying("Never.")]);
  const channel = await addChannel();
  await addWatch(channel.id, "checker");
  await db().delete(memberships).where(eq(memberships.userId, stage.built.admin.id));
  await sendToChannel(writer(), channel.id, { text: "Hello" });
  await eventually(channel.id, [{ outcome: "failed", reason: expect.stringContaining("no longer a member") }]);
  expect((await listWatches(reader(), channel.id)).items).toMatchObject([{ enabled: false }]);
});

test("the tools name the channels that there are, and refuse a taken name", async () => {
  await twoAgents([saying("unused")]);
  const ask = async (name: string, args: object) => (await submitCalls(stage, [[name, args as never]])).calls[0]?.content;
  expect(await ask("send_message", { channel: "x", message: "m" })).toContain("The workspace has none");
  await addChannel();
  await addChannel("answers");
  expect(await ask("send_message", { to: "x", content: "m" })).toContain("Available channels: answers, reports.");
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
  await addChannel();
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
  const [channel] = (await listChannels(reader())).items;
  expect((await messages(channel?.id ?? "")).map(({ text }) => text)).toEqual(["From the group"]);
});

test("watch_channel answers with the sentence that models know", async () => {
  const channel = await addChannel();
  const { workspace, agentKey } = stage.built;
  const scope = { workspaceId: workspace.id, conversationId: stage.conversationId, actor: agentKey };
  const run = (args: object) => runTool(watchChannel, args as never, { channels: channels.create(scope as never) });
  expect(await run({ channel_name: "reports", prompt: "p {content}", filter_sender: "checker", name: "mine" })).toMatch(
    /^Trigger `watch_channel` correctly set up and running in the background with channel reports from checker\. trigger_id=\S+ name=mine$/,
  );
  await expect(run({ channelName: "reports", prompt: "p", name: "mine" })).rejects.toThrow('a watch named "mine" already');
  await expect(run({ channelName: "nowhere", prompt: "p" })).rejects.toThrow("Available channels: reports.");
  expect((await listWatches(reader(), channel.id)).items).toMatchObject([{ name: "mine", filterSender: "checker", agent: "default" }]);
});

test("channels and watches of another workspace are not found", async () => {
  const channel = await addChannel();
  await buildAgent(stage.built.workspace.id, { name: "checker" });
  const watch = await addWatch(channel.id, "checker");
  const other = authorize((await buildWorkspace()).admin, "channels:write");
  for (const attempt of [
    () => sendToChannel(other, channel.id, { text: "x" }),
    () => removeChannel(other, channel.id),
    () => removeWatch(other, watch.id),
    () => switchWatch(other, watch.id, false),
    () => createWatch(other, channel.id, { name: "n", agent: "default", prompt: "p", filterSender: null }),
  ]) {
    await expect(attempt()).rejects.toThrow("does not exist");
  }
  await expect(addChannel()).rejects.toThrow('a channel named "reports" already');
  await expect(addWatch(channel.id, "nobody")).rejects.toThrow('no agent "nobody"');
  await removeWatch(writer(), watch.id);
  await removeChannel(writer(), channel.id);
  expect((await listChannels(reader())).items).toEqual([]);
});

test("a prompt is filled in one pass", () => {
  const values = { content: "{sender}", channel: "c", sender: "s$1", message_id: "m" };
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
