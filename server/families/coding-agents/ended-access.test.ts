import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { apiKeys, approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { askCommand, useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { cancelForEndedKeys } from "@/server/turns/client/end-client-call";
import { isWatchedHere } from "@/server/turns/read/watch-turns";

const stage = useCodingStage();

const question = {
  ...{ session_id: "s", cwd: "/home/ada/shop", hook_event_name: "PreToolUse", tool_use_id: "t1", tool_name: "Bash" },
  tool_input: { command: "git push" },
};
const sentence = "The API key was revoked or has expired while the call waited, so the call is denied and its question is withdrawn.";

/** The card that a request waits for. */
const awaited = () =>
  vi.waitFor(
    async () => {
      const isOpen = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
      const [card] = await db().select().from(approvals).where(isOpen);
      if (!card || !isWatchedHere(card.turnId)) throw new Error("nobody waits yet");
      return card.id;
    },
    { timeout: 10_000 },
  );
const statusOf = async (card: string) => (await db().select().from(approvals).where(eq(approvals.id, card)))[0]?.status;
const revoke = (id: string) => revokeApiKey(authorize(stage.built.admin, "admin"), id);

test("a key that is revoked while its hook waits denies the call with a sentence, and closes the card", async () => {
  const { hook, keyId } = await codingHttp(stage);
  const answer = hook("claude-code", question).then((response) => response.json());
  const card = await awaited();
  await revoke(keyId);
  expect(await answer).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining(sentence),
    },
  });
  expect(await statusOf(card)).toBe("cancelled");
  const late = decideApproval(approverActor(stage), card, { decision: "approve", comment: "" });
  await expect(late).rejects.toMatchObject({ code: "already_decided" });
});

test("a key that is revoked while the client's own prompt is open closes the card", async () => {
  const { hook, keyId } = await codingHttp(stage);
  const { tool_use_id: _, ...permission } = { ...question, hook_event_name: "PermissionRequest" };
  await hook("claude-code", question, "?mode=desk");
  const answer = hook("claude-code", permission, "?mode=desk").then((response) => response.json());
  const card = await awaited();
  await revoke(keyId);
  expect((await answer).hookSpecificOutput.decision).toEqual({ behavior: "deny", message: expect.stringContaining(sentence) });
  expect(await statusOf(card)).toBe("cancelled");
});

test.each(["a short request of the hook program", "a request for the call itself"])("%s ends with 401 and the sentence", async (which) => {
  const { hook, keyId, key, origin } = await codingHttp(stage);
  const first = await hook("codex", question, "?wait=0");
  const answer = which.startsWith("a short")
    ? hook("codex", question, "?wait=25")
    : fetch(`${origin}/api/v1/guarded-calls/${first.headers.get("handrail-call")}?wait=25`, {
        headers: { authorization: `Bearer ${key}` },
      });
  const card = await awaited();
  await revoke(keyId);
  const { status, detail } = await (await answer).json();
  expect([status, detail]).toEqual([401, expect.stringContaining(sentence)]);
  expect(await statusOf(card)).toBe("cancelled");
});

test("a question that no request waits for is withdrawn when its key was revoked or has expired, and others stay", async () => {
  const kept = await askCommand(stage, "git push", { session: "kept" });
  const { hook, keyId } = await codingHttp(stage);
  const cards = async () => Object.fromEntries((await db().select().from(approvals)).map(({ callId, status }) => [callId, status]));
  const call = String((await hook("codex", question, "?wait=0")).headers.get("handrail-call"));
  await cancelForEndedKeys();
  expect(await cards()).toMatchObject({ [kept.id]: "pending", [call]: "pending" });
  await db()
    .update(apiKeys)
    .set({ expiresAt: new Date(0) })
    .where(eq(apiKeys.id, keyId));
  await cancelForEndedKeys();
  expect(await cards()).toMatchObject({ [kept.id]: "pending", [call]: "cancelled" });
});
