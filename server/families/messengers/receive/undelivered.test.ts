import { createHmac } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents, messengerOutbound, messengers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { callBack, connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { giveModel, saying, useRunStage } from "@/server/testing/models/run-stage";
import { startPlatformServer } from "@/server/testing/platforms/platform-server";
import { listParts } from "../chats";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

/** A WhatsApp account, the way to call it, and what happens while the platform takes a message. */
async function connectWhatsApp() {
  const meanwhile: { call: (id: string) => Promise<void> } = { call: async () => {} };
  let next = 0;
  const { url } = await startPlatformServer({
    "GET /55": () => ({ id: "55" }),
    "POST /55/messages": async ({ body }) => {
      if (body.status === "read") return {};
      next += 1;
      await meanwhile.call(`wamid.${next}`);
      return { messages: [{ id: `wamid.${next}` }] };
    },
  });
  const { id } = await connectMessenger(stage, {
    ...{ platform: "whatsapp", transport: "webhook", settings: { apiUrl: url, phoneNumberId: "55" } },
    secrets: { token: "wa-token", appSecret: "wa-secret", verifyToken: "verify me" },
  });
  const call = (value: object) => {
    const body = JSON.stringify({ entry: [{ changes: [{ value: { metadata: { phone_number_id: "55" }, ...value } }] }] });
    return callBack(id, {
      body,
      headers: { "x-hub-signature-256": `sha256=${createHmac("sha256", "wa-secret").update(body).digest("hex")}` },
    });
  };
  const say = (text: string) => call({ messages: [{ id: `in.${text}`, from: "491", type: "text", text: { body: text } }] });
  const tell = (ref: string, status: string, more: object = {}) => call({ statuses: [{ id: ref, status, recipient_id: "491", ...more }] });
  const parts = async () =>
    (await listParts(authorize(stage.built.admin, "messengers:read"), id, {})).items
      .filter(({ direction }) => direction === "out")
      .map(({ text, status, error }) => ({ text, status, error }));
  return { id, say, tell, parts, meanwhile };
}

const errors = [{ code: 131_047, title: "Re-engagement message", error_data: { details: "More than 24 hours have passed." } }];

test("a message that WhatsApp took and could not deliver is shown as failed, with its reason, whatever else it says of it", async () => {
  const whatsapp = await connectWhatsApp();
  await giveModel(stage, [saying("Hello Ada.")]);
  await whatsapp.say("Hi");
  await expect.poll(whatsapp.parts).toEqual([{ text: "Hello Ada.", status: "sent", error: null }]);
  await whatsapp.tell("wamid.1", "delivered");
  await whatsapp.tell("wamid.1", "read");
  expect(await whatsapp.parts()).toEqual([{ text: "Hello Ada.", status: "sent", error: null }]);
  expect((await whatsapp.tell("wamid.1", "failed", { errors })).status).toBe(200);
  await whatsapp.tell("wamid.1", "failed", { errors });
  await whatsapp.tell("wamid.1", "delivered");
  const error = "WhatsApp did not deliver it: Re-engagement message: More than 24 hours have passed. (131047)";
  expect(await whatsapp.parts()).toEqual([{ text: "Hello Ada.", status: "failed", error }]);
  const audited = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.workspaceId, stage.built.workspace.id), eq(auditEvents.event, "messenger.part_failed")));
  expect(audited).toMatchObject([{ data: { kind: "text", error } }]);
  expect(await db().select().from(messengers).where(eq(messengers.id, whatsapp.id))).toMatchObject([{ lastError: error }]);
  expect((await whatsapp.tell("wamid.of-another-app", "failed", { errors })).status).toBe(200);
});

test("a failure that is told before the message's id is known is asked for again", async () => {
  const whatsapp = await connectWhatsApp();
  await giveModel(stage, [saying("Hello Ada.")]);
  const told = new Promise<unknown>((resolve) => {
    whatsapp.meanwhile.call = async (ref) => resolve(await whatsapp.tell(ref, "failed", { errors }).catch((error: unknown) => error));
  });
  await whatsapp.say("Hi");
  expect(await told).toMatchObject({ code: "unavailable" });
  await expect.poll(whatsapp.parts).toMatchObject([{ status: "sent" }]);
  await whatsapp.tell("wamid.1", "failed", { errors });
  expect(await whatsapp.parts()).toMatchObject([{ status: "failed" }]);
  expect(await db().$count(messengerOutbound, eq(messengerOutbound.messengerId, whatsapp.id))).toBe(1);
});
