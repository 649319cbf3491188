import { call } from "@/components/kit/api/call";
import { verdictWords } from "@/components/kit/ui/badges/verdict-words";
import { type PlannedChange, policyEndpoints, type Simulation } from "@/contracts/browser/guard/policy";

/** Totals of a simulation over the pages loaded so far. */
export type SimulationSum = Pick<Simulation, "examined" | "total" | "flips" | "calls" | "approvals" | "days"> & {
  /** All recorded calls were tried, or the limit was reached. */
  isComplete: boolean;
};

export const nothingSimulated: SimulationSum = {
  examined: 0,
  total: 0,
  flips: [],
  calls: [],
  approvals: { before: 0, after: 0 },
  days: 1,
  isComplete: false,
};

export const simulatedDays = 30;
const maxCalls = 50_000;
const maxFlippedCalls = 100;

/** Yields the pages of a simulation as they arrive. */
export async function* simulationPages(change: PlannedChange | null, signal: AbortSignal): AsyncGenerator<Simulation> {
  let cursor: string | null = null;
  let tried = 0;
  do {
    const body: Parameters<typeof simulate>[0] = {
      over: { days: simulatedDays },
      ...(change ? { change } : {}),
      ...(cursor ? { cursor } : {}),
    };
    const page: Simulation = await simulate(body, signal);
    yield page;
    tried += page.examined;
    cursor = tried < maxCalls ? page.nextCursor : null;
  } while (cursor !== null);
}

function simulate(body: { over: { days: number }; change?: PlannedChange; cursor?: string }, signal: AbortSignal): Promise<Simulation> {
  return call(policyEndpoints.simulate, { body }, { signal });
}

export function addPage(sum: SimulationSum, page: Simulation): SimulationSum {
  const flips = new Map(sum.flips.map((flip) => [`${flip.before} ${flip.after}`, flip]));
  for (const flip of page.flips) {
    const key = `${flip.before} ${flip.after}`;
    flips.set(key, { ...flip, calls: flip.calls + (flips.get(key)?.calls ?? 0) });
  }
  const examined = sum.examined + page.examined;
  return {
    examined,
    total: Math.max(sum.total, page.total, examined),
    flips: [...flips.values()].sort((a, b) => b.calls - a.calls),
    calls: [...sum.calls, ...page.calls].slice(0, maxFlippedCalls),
    approvals: { before: sum.approvals.before + page.approvals.before, after: sum.approvals.after + page.approvals.after },
    days: Math.max(sum.days, page.days),
    isComplete: page.nextCursor === null || examined >= maxCalls,
  };
}

export function flippedCalls({ flips }: Pick<SimulationSum, "flips">): number {
  return flips.reduce((count, { calls }) => count + calls, 0);
}

const count = (number: number) => number.toLocaleString("en");

/** "312 of 9,812 calls in 30 days would change: Ask → Allow (300), Allow → Deny (12)" */
export function simulationSentence(sum: SimulationSum): string {
  if (sum.total === 0 && sum.isComplete) return `No calls recorded in ${simulatedDays} days.`;
  const calls = `${count(sum.examined)} ${sum.examined === 1 ? "call" : "calls"} in ${simulatedDays} days`;
  const flipped = flippedCalls(sum);
  if (flipped === 0) return `None of ${calls} would change.`;
  const list = sum.flips.map(({ before, after, calls: some }) => `${verdictWords[before]} → ${verdictWords[after]} (${count(some)})`);
  return `${count(flipped)} of ${calls} would change: ${list.join(", ")}`;
}

/** "Approvals per day: 41 → 12" */
export function approvalsSentence({ approvals, days }: Pick<SimulationSum, "approvals" | "days">): string {
  const before = perDay(approvals.before / days);
  const after = perDay(approvals.after / days);
  return before === after ? `Approvals per day: ${before}, unchanged` : `Approvals per day: ${before} → ${after}`;
}

function perDay(number: number): string {
  if (number === 0) return "0";
  return number < 10 ? String(Math.round(number * 10) / 10 || "under 0.1") : count(Math.round(number));
}
