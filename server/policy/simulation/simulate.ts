import "server-only";
import { z } from "zod";
import type { Verdict } from "@/contracts/decisions/decision";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Simulation, SimulationBody } from "@/contracts/guard/policy";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import type { Authorized } from "@/server/auth/actor";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { patternSubjectText } from "@/server/guard/call/pattern-subject";
import { compilePolicy, type Policy } from "@/server/guard/compile-policy";
import { decide } from "@/server/guard/decide";
import { compileGrants } from "@/server/guard/grants/compile-grants";
import { decodeCursor, encodeCursor } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { makeYieldToEventLoop } from "@/server/platform/yield-to-event-loop";
import { maskInText } from "@/server/secrets/mask-secrets";
import { diffPolicies } from "../diff-policies";
import { listGuardedTools } from "../find-guarded-tool";
import { policyFile } from "../policy-file/policy-file";
import { readGrants } from "../read-grants";
import { type Changeable, readPolicy } from "../rules/read-policy";
import { loadToolNames } from "../tool-names";
import { planChange, planSettings } from "./plan-change";
import { countRecordedCalls, type Period, type RecordedCall, recordedCalls } from "./recorded-calls";

/** Limits of one page in calls and milliseconds, so that the first figures appear soon. */
const maxCalls = 10_000;
const maxMs = 700;
const maxCounted = 100_000;
const maxFlippedCalls = 100;
const maxSeenChars = 1_000;
const dayMs = 24 * 3_600_000;

const SimulationCursor = z.tuple([z.uuid(), z.number(), z.number()]);

/**
 * Decides recorded calls again in their recorded contexts, under the current policy and under the changed policy. Rules and
 * grants count if they hold now, whatever the time of the call; people's answers are left out. Saves nothing.
 * @throws AppError as saving the change would
 */
export async function simulate(actor: Authorized<"guard:read">, body: SimulationBody, signal?: AbortSignal): Promise<Simulation> {
  const { workspaceId } = actor;
  const now = sharedNowMs();
  const { policyVersion, ...current } = await readPolicy(workspaceId);
  const planned = await plan(workspaceId, current, body);
  const toolNames = await loadToolNames(db(), workspaceId);
  const grants = compileGrants((await readGrants(db(), workspaceId)).map((grant) => ({ ...grant, expiresAt: null })));
  const compiled = (content: Changeable) => ({ ...compileNow({ ...content, policyVersion }, toolNames, now), grants });
  const before = compiled(current);
  const after = compiled(planned);
  const sameFiles = canonicalJson(current.config.sensitivePaths) === canonicalJson(planned.config.sensitivePaths);
  // `Replay` analyzes a call once for both policies; `decide` accepts that analysis only with the same `sensitivePaths` object.
  const policies = { before, after: sameFiles ? { ...after, sensitivePaths: before.sensitivePaths } : after };
  const tools = new Map((await listGuardedTools(workspaceId)).map((tool) => [tool.name, tool]));
  const isConcerned = concernedTools(current, planned, policies);

  const { period, last } = periodOf(body, now);
  const replay = new Replay();
  const yieldToEventLoop = makeYieldToEventLoop();
  const began = performance.now();
  const most = Math.min(maxCalls, limitOf(body));
  let next: string | null = null;
  pages: for await (const page of recordedCalls(workspaceId, period, last)) {
    for (const call of page) {
      // The first call is always decided, however late, because a page without calls has no cursor and would end the simulation.
      const isLate = replay.looked > 0 && performance.now() - began > maxMs;
      if (replay.looked >= most || isLate || signal?.aborted) break pages;
      await yieldToEventLoop();
      next = call.id;
      const tool = tools.get(call.tool);
      if (tool) replay.add(call, tool, isConcerned(tool) ? policies : null);
      else replay.looked += 1;
    }
  }
  const isOver = replay.looked < most && performance.now() - began <= maxMs;
  const nextCursor = isOver || next === null || "last" in body.over ? null : encodeCursor([next, period.from, period.to]);
  const total = nextCursor === null && last === null ? replay.looked : await countRecordedCalls(workspaceId, period, maxCounted);
  return { ...replay.outcome(now), total, policyVersion, nextCursor };
}

async function plan(workspaceId: string, current: Changeable, { change, rules, config }: SimulationBody): Promise<Changeable> {
  if (change && rules)
    throw new AppError("invalid", "Send `change` or `rules`, not both.", { errors: [{ path: "rules", message: "leave it out" }] });
  const asked = rules ? ({ kind: "import", mode: "replace", rules } as const) : change;
  const changed = asked ? await planChange(db(), workspaceId, current, asked) : current;
  return config ? planSettings(db(), workspaceId, changed, config) : changed;
}

/** Compiles a policy from the rules that hold now, without their expiry, so that the time of a recorded call does not count. */
function compileNow(
  { config, rules, policyVersion }: Changeable & { policyVersion: number },
  toolNames: (name: string) => string,
  now: number,
): Policy {
  const ofFile = (policyFile()?.file.rules ?? []).map((rule) => ({ ...rule, tool: toolNames(rule.tool) }));
  const holding = [...ofFile, ...rules].filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now);
  return compilePolicy({ version: policyVersion, config, rules: holding.map((rule) => ({ ...rule, expiresAt: null })) });
}

/** Returns a function that tells whether the change can affect a tool; calls of other tools keep their recorded verdict. */
function concernedTools(current: Changeable, planned: Changeable, { before, after }: Policies): (tool: GuardedTool) => boolean {
  const { settings } = diffPolicies({ ...current, rules: [] }, { ...planned, rules: [] });
  if (settings.length > 0) return () => true;
  const changed = changedIds(current.rules, planned.rules);
  const rules = [...before.rules, ...after.rules].filter(({ id }) => changed.has(id));
  const known = new Map<string, boolean>();
  return (tool) => {
    const concerned = known.get(tool.name) ?? rules.some(({ covers }) => covers(tool));
    known.set(tool.name, concerned);
    return concerned;
  };
}

function changedIds(before: readonly GuardRule[], after: readonly GuardRule[]): ReadonlySet<string> {
  const content = ({ version: _version, updatedAt: _saved, createdAt: _made, ...rule }: GuardRule) => canonicalJson(rule);
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const changed = new Set(before.map(({ id }) => id));
  for (const rule of after) {
    const known = old.get(rule.id);
    if (known === rule || (known && content(known) === content(rule))) changed.delete(rule.id);
    else changed.add(rule.id);
  }
  return changed;
}

type Policies = { before: Policy; after: Policy };

/** Collects the figures of a simulation. */
class Replay {
  /** Recorded calls so far, including calls of removed tools. */
  looked = 0;
  #examined = 0;
  #newest: Date | null = null;
  #oldest: Date | null = null;
  #flips = new Map<string, Simulation["flips"][number]>();
  #calls: Simulation["calls"] = [];
  #approvals = { before: 0, after: 0 };

  /** Decides a call under both policies. @param policies null when the change cannot affect the tool: the verdict stays */
  add(call: RecordedCall, tool: GuardedTool, policies: Policies | null): void {
    this.looked += 1;
    this.#examined += 1;
    this.#newest ??= call.at;
    this.#oldest = call.at;
    const asked = { tool, arguments: call.arguments, context: call.context };
    const at = call.at.getTime();
    const looked = (policies && analyzeCallIfReadable(asked, policies.before.sensitivePaths)) ?? asked;
    const before = policies ? decide(policies.before, looked, at).verdict : call.verdict;
    const decided = policies && decide(policies.after, looked, at);
    const after = decided?.verdict ?? before;
    if (call.context.interactive) {
      this.#approvals.before += Number(before === "require_approval");
      this.#approvals.after += Number(after === "require_approval");
    }
    if (before === after || !decided) return;
    this.#count(before, after);
    if (this.#calls.length >= maxFlippedCalls) return;
    const seen = shown(patternSubjectText(asked, null));
    this.#calls.push({ callId: call.id, tool: tool.name, at: call.at.toISOString(), seen, before, after, why: decided.reason });
  }

  #count(before: Verdict, after: Verdict): void {
    const key = `${before} ${after}`;
    const flip = this.#flips.get(key) ?? { before, after, calls: 0 };
    flip.calls += 1;
    this.#flips.set(key, flip);
  }

  outcome(now: number) {
    const days = Math.max(1, this.#oldest ? (now - this.#oldest.getTime()) / dayMs : 1);
    const { before, after } = this.#approvals;
    return {
      examined: this.#examined,
      from: this.#oldest?.toISOString() ?? null,
      to: this.#newest?.toISOString() ?? null,
      flips: [...this.#flips.values()].sort((a, b) => b.calls - a.calls),
      calls: this.#calls,
      approvals: { before, after },
      days,
      approvalsPerDay: { before: before / days, after: after / days },
    };
  }
}

function periodOf({ over, cursor }: SimulationBody, now: number): { period: Period; last: string | null } {
  if (cursor !== undefined) {
    const [last, from, to] = decodeCursor(cursor, SimulationCursor);
    return { period: { from, to }, last };
  }
  if ("from" in over) return { period: { from: Date.parse(over.from), to: Date.parse(over.to) }, last: null };
  return { period: { from: "days" in over ? now - over.days * dayMs : 0, to: now }, last: null };
}

const limitOf = ({ over }: SimulationBody) => ("last" in over ? over.last : Number.POSITIVE_INFINITY);

/** Masks and cuts a text, because people with `guard:read` may not read every secret. */
function shown(text: string): string {
  const masked = maskInText(text.slice(0, maxSeenChars));
  return text.length > maxSeenChars ? `${masked}…` : masked;
}
