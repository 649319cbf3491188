import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { TurnDraft } from "@/contracts/turns/turns";
import { approvals, toolCalls, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { db } from "@/server/platform/database/database";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { isAppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { activeTurns, findTurnTask, type TurnTask } from "@/server/turns/active-turns";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { folderTails } from "@/server/turns/execute/folder-lock";
import { keyedTurns } from "@/server/turns/keyed-turns";
import { storedTurn } from "@/server/turns/live-turn";
import { type LoadedTurn, loadTurn } from "@/server/turns/read/load-turn";
import { recoverTurns } from "@/server/turns/recovery/recover-turns";
import { resumeTurn } from "@/server/turns/recovery/resume-turn";
import { removeConversation } from "@/server/turns/remove-conversation";
import { runTurn } from "@/server/turns/run-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { restartTurn } from "@/server/turns/transitions/restart-turn";
import { authorize, type BuiltWorkspace, buildConversation } from "../builders";
import { Bench, type MachineTool } from "./machine-tools";

export type PlannedCall = { tool: MachineTool; hold: "no" | "before" | "after" };
/** Numbers (`pick`) choose among the items that exist at that moment. */
export type Command =
  | { do: "submit"; conversation: number; calls: PlannedCall[]; key: string | null; wait: number }
  | { do: "submit again"; pick: number; wait: number }
  | { do: "release"; pick: number }
  | { do: "decide"; pick: number; decision: "approve" | "reject" }
  | { do: "expire"; pick: number }
  | { do: "cancel"; pick: number }
  | { do: "remove"; conversation: number }
  | { do: "crash"; pick: number; isPaused: boolean }
  | { do: "recover" }
  | { do: "resume"; pick: number }
  | { do: "look elsewhere"; pick: number }
  | { do: "resume elsewhere"; pick: number };

type Submission = { conversationId: string; draft: TurnDraft; idempotencyKey: string | null };

const conversationsPerRun = 2;
const maxRounds = 40;

/** Turns of a few conversations, and every event that can happen to them. */
export class TurnMachine {
  readonly bench = new Bench();
  /** The turns that clients received as answers. */
  readonly answers: Awaited<ReturnType<typeof submitTurn>>[] = [];
  /** Approvals that a person granted. */
  readonly approved = new Set<string>();
  readonly conversationIds: string[] = [];
  readonly #submissions: Submission[] = [];
  readonly #client = new AbortController();
  /** Work of replicas that the rest of the system considers dead. */
  readonly #ghosts: TurnTask[] = [];
  /** Turns that another replica has read and may resume later. */
  readonly #seenElsewhere: LoadedTurn[] = [];
  #labels = 0;

  private constructor(readonly built: BuiltWorkspace) {}

  static async make(built: BuiltWorkspace): Promise<TurnMachine> {
    const machine = new TurnMachine(built);
    for (let made = 0; made < conversationsPerRun; made++) machine.conversationIds.push((await buildConversation(built.agentKey)).id);
    return machine;
  }

  async perform(command: Command): Promise<void> {
    switch (command.do) {
      case "submit": {
        const calls = command.calls.map(({ tool, hold }, place) => ({
          id: `c${place}`,
          name: tool,
          arguments: { label: `${tool} ${this.#labels++}`, hold },
        }));
        const conversationId = this.conversationIds[command.conversation] ?? "";
        const submission = { conversationId, draft: TurnDraft.parse({ calls, wait: command.wait }), idempotencyKey: command.key };
        if (command.key) this.#submissions.push(submission);
        return this.#submit(submission);
      }
      case "submit again": {
        const earlier = pickOf(this.#submissions, command.pick);
        return earlier && this.#submit({ ...earlier, draft: { ...earlier.draft, wait: command.wait } });
      }
      case "release":
        return this.bench.release(command.pick);
      case "decide": {
        const approvalId = pickOf(await this.#pending(), command.pick);
        return approvalId === undefined ? undefined : this.#decide(approvalId, command.decision);
      }
      case "expire": {
        const approvalId = pickOf(await this.#pending(), command.pick);
        if (!approvalId) return;
        await db()
          .update(approvals)
          .set({ expiresAt: new Date(0) })
          .where(eq(approvals.id, approvalId));
        return expireOverdueApprovals();
      }
      case "cancel": {
        const turnId = pickOf(await this.#turns(), command.pick);
        // The client disconnects at once, so it does not wait for the tools to stop.
        if (turnId) await cancelTurn(authorize(this.built.agentKey, "turns:write"), turnId, AbortSignal.abort());
        return;
      }
      case "remove":
        await removeConversation(authorize(this.built.agentKey, "turns:write"), this.conversationIds[command.conversation] ?? "");
        return;
      case "crash": {
        const here = [...activeTurns().values()].filter(({ live }) => this.conversationIds.includes(live.turn.conversationId));
        const turnId = pickOf(here, command.pick)?.live.turn.id;
        return turnId === undefined ? undefined : this.#crash(turnId, command.isPaused);
      }
      case "recover":
        return recoverTurns();
      case "resume": {
        const turnId = pickOf(await this.#answered(), command.pick);
        return turnId === undefined ? undefined : resumeTurn(turnId);
      }
      case "look elsewhere": {
        const turnId = pickOf(await this.#turns(), command.pick);
        const loaded = turnId && (await loadTurn(turnId));
        if (loaded && loaded.turn.status === "suspended") this.#seenElsewhere.push(loaded);
        return;
      }
      case "resume elsewhere": {
        const seen = pickOf(this.#seenElsewhere, command.pick);
        return seen && this.#resumeElsewhere(seen);
      }
    }
  }

  /** Answers every approval, runs every job and recovers until every turn has ended. @throws Error when a turn never ends. */
  async bringToRest(): Promise<void> {
    this.bench.open();
    for (let rounds = 0; ; rounds++) {
      await Promise.allSettled([...activeTurns().values(), ...this.#ghosts].map(({ rested }) => rested));
      const open = await this.#turns();
      if (open.length === 0) break;
      // A replica that read a turn long ago tries to resume it too late.
      for (const seen of this.#seenElsewhere) this.#resumeElsewhere(seen);
      if (rounds === maxRounds) throw new Error(`these turns never end: ${open.join(", ")}`);
      for (const id of await this.#pending()) {
        await this.#decide(id, rounds % 2 === 0 ? "approve" : "reject").catch((error) => {
          if (!isAppError(error)) throw error;
        });
      }
      await recoverTurns();
    }
    this.#client.abort();
  }

  async #submit({ draft, ...submission }: Submission): Promise<void> {
    this.answers.push(
      await submitTurn(authorize(this.built.agentKey, "turns:write"), { ...submission, draft, signal: this.#client.signal }),
    );
  }

  async #decide(approvalId: string, decision: "approve" | "reject"): Promise<void> {
    await decideApproval(authorize(this.built.approver, "approvals:decide"), approvalId, { decision, comment: "" });
    if (decision === "approve") this.approved.add(approvalId);
  }

  /**
   * Simulates, for the rest of the system, the death of the replica that works on a turn: its claim stays, its memory is
   * gone. A paused replica comes back later and continues; a killed replica must not write any more.
   */
  async #crash(turnId: string, isPaused: boolean): Promise<void> {
    const task = findTurnTask(turnId);
    if (!task) return;
    const { live } = task;
    // Pending writes reach the database under the old identity.
    for (let seen: unknown; seen !== live.saving; ) {
      seen = live.saving;
      await seen;
    }
    if (findTurnTask(turnId) !== task || (!isPaused && !live.stored)) return;
    activeTurns().delete(turnId);
    for (const [key, keyed] of keyedTurns()) if (keyed.task === task) keyedTurns().delete(key);
    folderTails().clear();
    this.#ghosts.push(task);
    const other = newId();
    // Code of a "killed" replica keeps running in this process. A new identity that no row names makes its writes fail.
    const identity = isPaused ? other : newId();
    if (live.turn.claimedBy === bootId()) live.turn.claimedBy = identity;
    if (live.stored?.claimedBy === bootId()) live.stored.claimedBy = identity;
    await retryOnConflict(() => forgetOwner(turnId, other, isPaused));
  }

  /** Lets another replica resume a turn from its stale read: the replica works beside us, unknown to this process. */
  #resumeElsewhere({ turn, calls }: LoadedTurn): void {
    const live = storedTurn(
      { ...turn },
      calls.map((call) => ({ ...call })),
    );
    restartTurn(live);
    live.turn.claimedBy = newId();
    const ours = findTurnTask(turn.id);
    const theirs = runTurn(live);
    if (ours) activeTurns().set(turn.id, ours);
    else activeTurns().delete(turn.id);
    this.#ghosts.push(theirs);
  }

  /** Lists the turns that have not ended. */
  async #turns(): Promise<string[]> {
    const rows = await db()
      .select({ id: turns.id })
      .from(turns)
      .where(and(inArray(turns.conversationId, this.conversationIds), inArray(turns.status, ["running", "suspended"])))
      .orderBy(asc(turns.id));
    return rows.map(({ id }) => id);
  }

  /** Lists the turns that have their answer and wait to be resumed. */
  async #answered(): Promise<string[]> {
    const rows = await db()
      .select({ id: turns.id })
      .from(turns)
      .where(and(inArray(turns.conversationId, this.conversationIds), isNotNull(turns.answeredAt)))
      .orderBy(asc(turns.answeredAt));
    return rows.map(({ id }) => id);
  }

  async #pending(): Promise<string[]> {
    const rows = await db()
      .select({ id: approvals.id })
      .from(approvals)
      .where(
        and(inArray(approvals.conversationId, this.conversationIds), eq(approvals.status, "pending"), sql`${approvals.expiresAt} > now()`),
      )
      .orderBy(asc(approvals.id));
    return rows.map(({ id }) => id);
  }
}

/** Rewrites the rows as if another replica held the turn. For a killed replica the version grows too, so that its writes fail. */
async function forgetOwner(turnId: string, other: string, isPaused: boolean): Promise<void> {
  await db().transaction(async (tx) => {
    await tx
      .update(turns)
      .set({ claimedBy: other, ...(isPaused ? {} : { version: sql`${turns.version} + 1` }) })
      .where(and(eq(turns.id, turnId), eq(turns.claimedBy, bootId())));
    await tx
      .update(toolCalls)
      .set({ startedBy: other })
      .where(and(eq(toolCalls.turnId, turnId), eq(toolCalls.status, "running")));
  });
}

function pickOf<T>(from: readonly T[], pick: number): T | undefined {
  return from[pick % Math.max(1, from.length)];
}
