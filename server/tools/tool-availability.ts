import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import type { AvailabilityCheck } from "./availability-check";
import { builtinTools } from "./builtin-tools";

/** The tools that cannot run on this machine: the reason by name. */
type Reasons = ReadonlyMap<string, string>;
type Known = { reasons: Reasons; epoch: number; checkedAt: number; running: Promise<Reasons> | null };

const freshMs = 30_000;
const checkLimitMs = 5_000;

const registry = () =>
  processWide("toolAvailability", (): Known => ({ reasons: new Map(), epoch: 0, checkedAt: Number.NEGATIVE_INFINITY, running: null }));

/** Returns the builtin tools that this machine or the workspace's settings cannot run, with their reasons. */
export async function unavailableTools(workspaceId: string): Promise<Reasons> {
  const [ofWorkspace, ofMachine] = await Promise.all([checkWorkspace(workspaceId), checkMachine()]);
  return new Map([...ofWorkspace, ...ofMachine]);
}

async function checkWorkspace(workspaceId: string): Promise<Reasons> {
  const asked = builtinTools().map(async ({ name, workspaceAvailability }) => [name, await workspaceAvailability?.(workspaceId)] as const);
  return new Map((await Promise.all(asked)).flatMap(([name, reason]) => (reason ? [[name, reason]] : [])));
}

/** Checks of the machine run at most twice a minute. */
async function checkMachine(): Promise<Reasons> {
  if (Date.now() - registry().checkedAt < freshMs) return registry().reasons;
  return recheck();
}

/** Counts up when a check changes its answer. Old answers are checked again behind the caller's back. */
export function availabilityEpoch(): number {
  const held = registry();
  if (Date.now() - held.checkedAt >= freshMs && held.running === null)
    recheck().catch((error) => log().error({ err: error }, "availability of tools"));
  return held.epoch;
}

/** Forgets the answers, so that the next listing checks again: for a check whose cause was just repaired. */
export function forgetAvailability(): void {
  registry().checkedAt = Number.NEGATIVE_INFINITY;
}

function recheck(): Promise<Reasons> {
  const held = registry();
  held.running ??= runChecks()
    .then((reasons) => {
      if (!isSame(held.reasons, reasons)) held.epoch += 1;
      Object.assign(held, { reasons, checkedAt: Date.now() });
      return reasons;
    })
    .finally(() => {
      held.running = null;
    });
  return held.running;
}

/** Runs each check once, however many tools share it. */
async function runChecks(): Promise<Reasons> {
  const answers = new Map<AvailabilityCheck, Promise<string | null>>();
  const reasons = await Promise.all(
    builtinTools().map(async ({ name, availability }) => {
      if (!availability) return [];
      const answer = answers.get(availability) ?? runCheck(name, availability);
      answers.set(availability, answer);
      const reason = await answer;
      return reason === null ? [] : [[name, reason] as const];
    }),
  );
  return new Map(reasons.flat());
}

/** A check that fails or hangs counts as unavailable, because nobody knows better. */
async function runCheck(name: string, check: AvailabilityCheck): Promise<string | null> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${checkLimitMs} ms`)), checkLimitMs);
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    log().warn({ err: error, tool: name }, "an availability check failed");
    return "Its availability check failed. The server's log says why.";
  } finally {
    clearTimeout(timer);
  }
}

function isSame(before: Reasons, now: Reasons): boolean {
  return before.size === now.size && [...now].every(([name, reason]) => before.get(name) === reason);
}
