import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { TurnDraft } from "@/contracts/turns";
import { approvals, toolCalls, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireOverdueApprovals } from "@/server/approvals/expire-approvals";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { db } from "@/server/platform/database";
import { isAppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { resume } from "@/server/turns/arrows/resume";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { storedTurn } from "@/server/turns/live-turn";
import { type LoadedTurn, loadTurn } from "@/server/turns/load-turn";
import { recoverTurns } from "@/server/turns/recover-turns";
import { removeConversation } from "@/server/turns/remove-conversation";
import { resumeTurn } from "@/server/turns/resume-turn";
import { runTurn } from "@/server/turns/run-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { type Work, workOn } from "@/server/turns/working-turns";
import { type BuiltWorkspace, buildConversation, holding } from "./builders";
import { Bench, type MachineTool } from "./machine-tools";

export type PlannedCall = { tool: MachineTool; hold: "no" | "before" | "after" };
/** Numbers pick one of what is there at that moment. */
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
const mostRounds = 40;

/** Turns of a few conversations, and everything that can happen to them at any time. */
export class TurnMachine {
  readonly bench = new Bench();
  /** Turns as clients were answered them. */
  readonly answers: Awaited<ReturnType<typeof submitTurn>>[] = [];
  /** Questions that were answered with yes. */
  readonly approved = new Set<string>();
  readonly conversationIds: string[] = [];
  readonly #submissions: Submission[] = [];
  readonly #client = new AbortController();
  /** Work of replicas that died as far as anybody else knows. */
  readonly #ghosts: Work[] = [];
  /** Turns as another replica has read them, to take them up a while later. */
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
        // Its client does not wait for the tools to stop.
        if (turnId) await cancelTurn(holding(this.built.agentKey, "turns:write"), turnId, AbortSignal.abort());
        return;
      }
      case "remove":
        await removeConversation(holding(this.built.agentKey, "turns:write"), this.conversationIds[command.conversation] ?? "");
        return;
      case "crash": {
        const here = [...works().values()].filter(({ live }) => this.conversationIds.includes(live.turn.conversationId));
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

  /** Answers every question, carries out every job and recovers until every turn is over. @throws Error when one never is. */
  async bringToRest(): Promise<void> {
    this.bench.open();
    for (let rounds = 0; ; rounds++) {
      await Promise.allSettled([...works().values(), ...this.#ghosts].map(({ rested }) => rested));
      const open = await this.#turns();
      if (open.length === 0) break;
      // Whoever read a turn long ago comes late to it.
      for (const seen of this.#seenElsewhere) this.#resumeElsewhere(seen);
      if (rounds === mostRounds) throw new Error(`these turns never end: ${open.join(", ")}`);
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
    this.answers.push(await submitTurn(holding(this.built.agentKey, "turns:write"), { ...submission, draft, signal: this.#client.signal }));
  }

  async #decide(approvalId: string, decision: "approve" | "reject"): Promise<void> {
    await decideApproval(holding(this.built.approver, "approvals:decide"), approvalId, { decision, comment: "" });
    if (decision === "approve") this.approved.add(approvalId);
  }

  /**
   * What everybody else sees when the replica dies that works on a turn: its claim stays, its memory is gone. A paused one
   * comes back later and goes on as if nothing had happened; of a killed one nothing is written any more.
   */
  async #crash(turnId: string, isPaused: boolean): Promise<void> {
    const work = workOn(turnId);
    if (!work) return;
    const { live } = work;
    // What is on its way to the database arrives under the old identity.
    for (let seen: unknown; seen !== live.saving; ) {
      seen = live.saving;
      await seen;
    }
    if (workOn(turnId) !== work || (!isPaused && !live.stored)) return;
    works().delete(turnId);
    for (const [key, keyed] of keyedWorks()) if (keyed.work === work) keyedWorks().delete(key);
    folderTails().clear();
    this.#ghosts.push(work);
    const other = newId();
    // A killed one goes on here only because it died in the story: nobody is who it takes itself for.
    const identity = isPaused ? other : newId();
    if (live.turn.claimedBy === bootId()) live.turn.claimedBy = identity;
    if (live.stored?.claimedBy === bootId()) live.stored.claimedBy = identity;
    await afterConflicts(() => forgetOwner(turnId, other, isPaused));
  }

  /** Another replica takes a turn up, by what it has read of it: it works beside us, and we do not know of it. */
  #resumeElsewhere({ turn, calls }: LoadedTurn): void {
    const live = storedTurn(
      { ...turn },
      calls.map((call) => ({ ...call })),
    );
    resume(live);
    live.turn.claimedBy = newId();
    const ours = workOn(turn.id);
    const theirs = runTurn(live);
    if (ours) works().set(turn.id, ours);
    else works().delete(turn.id);
    this.#ghosts.push(theirs);
  }

  /** Turns that are not over. */
  async #turns(): Promise<string[]> {
    const rows = await db()
      .select({ id: turns.id })
      .from(turns)
      .where(and(inArray(turns.conversationId, this.conversationIds), inArray(turns.status, ["running", "suspended"])))
      .orderBy(asc(turns.id));
    return rows.map(({ id }) => id);
  }

  /** Turns that have their answer and wait to be taken up. */
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

/** What is stored of a turn says that another replica holds it; a killed one's rows cannot be written by it any more. */
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

/** What a process forgets that dies; under the names that the engine knows it by. */
const works = () => processWide<Map<string, Work>>("workingTurns", () => new Map());
const keyedWorks = () => processWide<Map<string, { work: Work }>>("keyedTurns", () => new Map());
const folderTails = () => processWide<Map<string, Promise<void>>>("folderLocks", () => new Map());
