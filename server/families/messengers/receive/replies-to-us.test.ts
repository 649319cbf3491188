import { createHmac } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { messengerInbound, messengerOutbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { callBack, connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startPlatformServer } from "@/server/testing/platforms/platform-server";
import { startSocket } from "@/server/testing/platforms/platform-socket";
import { findMessenger } from "../account";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

const statusesOf = async (id: string) =>
  (await db().select().from(messengerInbound).where(eq(messengerInbound.messengerId, id)).orderBy(asc(messengerInbound.id))).map(
    ({ text, status }) => [text, status],
  );

test("in a group of LINE a message that quotes one of ours is for the agent, and other quotes are not", async () => {
  await giveModel(stage, (_request, place) => saying(`Answer ${place + 1}.`));
  let next = 500;
  const { url } = await startPlatformServer({
    "POST /v2/bot/message/push": () => {
      next += 1;
      return { sentMessages: [{ id: String(next) }] };
    },
    "GET /v2/bot/*": () => ({ userId: "UB", displayName: "Ada" }),
  });
  const { id } = await connectMessenger(stage, {
    ...{ platform: "line", transport: "webhook", settings: { apiUrl: url } },
    secrets: { token: "line-token", channelSecret: "line-secret" },
  });
  const say = async (key: string, text: string, members: object, groupId = "G1") => {
    const message = { id: key, type: "text", text, ...members };
    const body = JSON.stringify({ events: [{ type: "message", webhookEventId: key, source: { userId: "U1", groupId }, message }] });
    await callBack(id, { body, headers: { "x-line-signature": createHmac("sha256", "line-secret").update(body).digest("base64") } });
  };
  await say("1", "@Helper one", { mention: { mentionees: [{ isSelf: true }] } });
  await expect.poll(() => statusesOf(id)).toEqual([["@Helper one", "done"]]);
  const sent = async () => (await db().select().from(messengerOutbound).where(eq(messengerOutbound.messengerId, id)))[0]?.messageRef;
  await expect.poll(sent).toBe("501");
  await say("2", "of another person", { quotedMessageId: "1" });
  await say("3", "of another group", { quotedMessageId: "501" }, "G2");
  await say("4", "of ours", { quotedMessageId: "501" });
  await expect.poll(() => next).toBe(502);
  expect(await statusesOf(id)).toEqual([
    ["@Helper one", "done"],
    ["of another person", "ignored"],
    ["of another group", "ignored"],
    ["of ours", "done"],
  ]);
});

test("in a server of Discord a reply to a message of ours is for the agent, without a mention of it", async () => {
  await giveModel(stage, (_request, place) => saying(`Answer ${place + 1}.`));
  const socket = await startSocket((send, frame) => {
    if (!frame) send({ op: 10, d: { heartbeat_interval: 41_250 } });
    else if (frame.op === 2) send({ op: 0, s: 1, t: "READY", d: { session_id: "s1", resume_gateway_url: socket.url } });
  });
  const { url, calls } = await startPlatformServer({
    "GET /users/@me": () => ({ id: "900", username: "helper" }),
    "GET /gateway/bot": () => ({ url: socket.url }),
    "POST /channels/1/messages": () => ({ id: "77" }),
  });
  const { id } = await connectMessenger(stage, {
    ...{ platform: "discord", transport: "connection", settings: { apiUrl: url }, secrets: { token: "discord-token" } },
    streams: false,
  });
  await expect.poll(async () => (await findMessenger(id))?.state).toBe("connected");
  let sequence = 1;
  const say = (text: string, members: JsonObject) => {
    sequence += 1;
    const message = { id: `${sequence}`, guild_id: "5", channel_id: "1", content: text, author: { id: "7", username: "ada" }, ...members };
    socket.push({ op: 0, s: sequence, t: "MESSAGE_CREATE", d: message });
  };
  say("to a person", { type: 19, referenced_message: { id: "3", author: { id: "8" } } });
  say("to us", { type: 19, referenced_message: { id: "76", author: { id: "900" } } });
  await expect
    .poll(() => calls.filter(({ path }) => path === "/channels/1/messages").map(({ body }) => body.content))
    .toEqual(["Answer 1."]);
  expect(await statusesOf(id)).toEqual([
    ["to a person", "ignored"],
    ["to us", "done"],
  ]);
});
