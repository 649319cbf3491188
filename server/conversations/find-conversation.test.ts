import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { conversations } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { signalHere } from "@/server/platform/signals/bus";
import { type BuiltWorkspace, buildAgent, buildApiKey, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { conversationChanged, findConversation, rememberedConversation } from "./find-conversation";

useTestDatabase();

let built: BuiltWorkspace;
let id: string;
beforeEach(async () => {
  built = await buildWorkspace();
  id = (await buildConversation(built.agentKey)).id;
});

/** A change without a signal. */
const change = (interactive: boolean) => db().update(conversations).set({ interactive }).where(eq(conversations.id, id));
const isInteractive = async () => (await rememberedConversation(id))?.interactive;

test("a conversation is remembered until a change is told, here or by another replica, and no longer than two seconds", async () => {
  expect(await isInteractive()).toBe(true);
  await change(false);
  expect(await isInteractive()).toBe(true);
  conversationChanged(id);
  expect(await isInteractive()).toBe(false);
  await change(true);
  signalHere({ topic: "conversation", conversationId: id });
  expect(await isInteractive()).toBe(true);
  await change(false);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2_001);
  expect(await isInteractive()).toBe(false);
  clock.mockRestore();
});

test("a change that is told while the row is read is not lost", async () => {
  const reading = rememberedConversation(id);
  conversationChanged(id);
  await reading;
  await change(false);
  expect(await isInteractive()).toBe(false);
});

test("one that does not exist is looked for again the next time", async () => {
  const unborn = newId();
  expect(await rememberedConversation(unborn)).toBeNull();
  await buildConversation(built.agentKey, { id: unborn });
  expect(await rememberedConversation(unborn)).toMatchObject({ id: unborn });
});

test("another workspace and another agent's key do not find it", async () => {
  const stranger = await buildWorkspace();
  const colleague = await buildApiKey(built.workspace.id, { agentId: (await buildAgent(built.workspace.id)).id });
  for (const actor of [stranger.agentKey, colleague]) {
    await expect(findConversation(actor, id)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await findConversation(built.agentKey, id)).toMatchObject({ id });
});
