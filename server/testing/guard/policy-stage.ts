import type { JsonObject } from "@/contracts/common";
import type { Decision, Verdict } from "@/contracts/decisions/decision";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { toolCalls, turns } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildConversation } from "../builders";

export type PolicyAdmin = Authorized<"guard:read"> & Authorized<"guard:write">;

/** Lets an actor read and change the policy. */
export const authorizePolicy = (actor: Actor): PolicyAdmin => authorize(authorize(actor, "guard:read"), "guard:write") as PolicyAdmin;

/** Drafts a rule that denies reading, unless `content` says otherwise. */
export const draftRule = (content: Partial<GuardRuleDraft> = {}): GuardRuleDraft =>
  GuardRuleDraft.parse({ name: "No reading", tool: "read_file", verdict: "deny", ...content });

export type RecordedCall = {
  id?: string;
  name?: string;
  arguments: JsonObject;
  /** Null for a call that was not decided. */
  verdict?: Verdict | null;
  ruleId?: string | null;
  sandboxed?: boolean;
  status?: "succeeded" | "running";
  finishedAt?: Date;
};

/**
 * Records calls of one turn, the oldest first, as if they had been decided and run.
 * @returns the id of their conversation
 */
export async function recordCalls(actor: Actor, calls: readonly RecordedCall[], known?: { id: string }): Promise<string> {
  const { workspaceId } = actor;
  const { id: conversationId } = known ?? (await buildConversation(actor));
  const startedBy = newId();
  const turn = { workspaceId, conversationId, requestDigest: "", requestedBy: toActorRef(actor), claimedBy: startedBy };
  const [{ id: turnId } = { id: "" }] = await db().insert(turns).values(turn).returning();
  const rows = calls.map(
    ({ name = "shell_execute", verdict = "require_approval", ruleId = null, sandboxed = false, ...call }, position) => {
      const decision: Decision | null = verdict && {
        verdict,
        reason: "",
        ruleId,
        ruleDigest: null,
        findings: [],
        trace: [],
        policyVersion: 1,
      };
      const known = { workspaceId, turnId, position, runtimeId: `call-${position}`, requestedName: name, name, startedBy };
      const { id = newId(), status = "succeeded", finishedAt = new Date() } = call;
      return {
        ...known,
        id,
        arguments: call.arguments,
        status,
        decision: decision && { ...decision, sandboxed },
        startedAt: new Date(),
        finishedAt: status === "running" ? null : finishedAt,
      };
    },
  );
  for (let start = 0; start < rows.length; start += 1_000)
    await db()
      .insert(toolCalls)
      .values(rows.slice(start, start + 1_000));
  return conversationId;
}
