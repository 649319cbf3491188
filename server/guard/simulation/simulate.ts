import "server-only";
import { z } from "zod";
import type { Verdict } from "@/contracts/decision";
import type { GuardRule } from "@/contracts/guard";
import type { Simulation, SimulationBody } from "@/contracts/policy";
import { maskInText } from "@/server/audit/mask-secrets";
import type { Holder } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/canonical-json";
import { decodeCursor, encodeCursor } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { GuardedTool } from "../asked-call";
import { makeBreathe } from "../breathe";
import { onTrialIfReadable } from "../call-on-trial";
import { compilePolicy, type Policy } from "../compile-policy";
import { decide } from "../decide";
import { listGuardedTools } from "../find-guarded-tool";
import { compileGrants } from "../grants/compile-grants";
import { readGrants } from "../grants/read-grants";
import { toolNamesOf } from "../matching/tool-names";
import { policyFile } from "../policy-file/policy-file";
import { seenText } from "../seen-text";
import { diffPolicies } from "../versions/diff-policies";
import { type Changeable, planChange, planSettings } from "./plan-change";
import { readPolicy } from "./read-policy";
import { countRecordedCalls, type Period, type RecordedCall, recordedCalls } from "./recorded-calls";

/** A page is over after so many calls, or so long a time: nobody waits longer for the first figures. */
const maxCalls = 10_000;
const maxMs = 700;
const maxCounted = 100_000;
const maxFlippedCalls = 100;
const maxSeenChars = 1_000;
const dayMs = 24 * 3_600_000;

const SimulationCursor = z.tuple([z.uuid(), z.number(), z.number()]);

/**
 * Decides recorded calls again, under the policy of now and under a changed one, as if they came as they came then.
 * Rules and grants that end are taken as they are now, and answers of people are left out. Saves nothing.
 * @throws AppError what saving the change would throw
 */
export async function simulate(actor: Holder<"guard:read">, body: SimulationBody, signal?: AbortSignal): Promise<Simulation> {
  const { workspaceId } = actor;
  const now = Date.now();
  const { policyVersion, ...current } = await readPolicy(workspaceId);
  const planned = await plan(workspaceId, current, body);
  const toolNames = await toolNamesOf(db(), workspaceId);
  const grants = compileGrants((await readGrants(db(), workspaceId)).map((grant) => ({ ...grant, expiresAt: null })));
  const compiled = (content: Changeable) => ({ ...compileNow({ ...content, policyVersion }, toolNames, now), grants });
  const policies = { before: compiled(current), after: compiled(planned) };
  const tools = new Map((await listGuardedTools(db(), workspaceId)).map((tool) => [tool.name, tool]));
  const isConcerned = concernedTools(current, planned, policies);

  const { period, last } = periodOf(body, now);
  const replay = new Replay();
  const breathe = makeBreathe();
  const began = performance.now();
  const most = Math.min(maxCalls, limitOf(body));
  let next: string | null = null;
  pages: for await (const page of recordedCalls(workspaceId, period, last)) {
    for (const call of page) {
      if (replay.looked >= most || performance.now() - began > maxMs || signal?.aborted) break pages;
      await breathe();
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

/** A policy with the rules that hold now: what has ended or ends later does not depend on when a call was made. */
function compileNow(
  { config, rules, policyVersion }: Changeable & { policyVersion: number },
  toolNames: (name: string) => string,
  now: number,
): Policy {
  const ofFile = (policyFile()?.file.rules ?? []).map((rule) => ({ ...rule, tool: toolNames(rule.tool) }));
  const holding = [...ofFile, ...rules].filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now);
  return compilePolicy({ version: policyVersion, config, rules: holding.map((rule) => ({ ...rule, expiresAt: null })) });
}

/** Whether the change can matter for a tool: what it does not touch is decided as before, and need not be decided again. */
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

/** What came of deciding calls again. */
class Replay {
  /** Calls that were taken from the record, those of tools that are gone included. */
  looked = 0;
  #examined = 0;
  #newest: Date | null = null;
  #oldest: Date | null = null;
  #flips = new Map<string, Simulation["flips"][number]>();
  #calls: Simulation["calls"] = [];
  #approvals = { before: 0, after: 0 };

  /** @param policies null when the change cannot matter: the call gets what it got */
  add(call: RecordedCall, tool: GuardedTool, policies: Policies | null): void {
    this.looked += 1;
    this.#examined += 1;
    this.#newest ??= call.at;
    this.#oldest = call.at;
    const asked = { tool, arguments: call.arguments, context: call.context };
    const at = call.at.getTime();
    const looked = (policies && onTrialIfReadable(asked)) ?? asked;
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
    const seen = shown(seenText(asked, null));
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

/** People may read the policy who may not read every secret. */
function shown(text: string): string {
  const masked = maskInText(text.slice(0, maxSeenChars));
  return text.length > maxSeenChars ? `${masked}…` : masked;
}
