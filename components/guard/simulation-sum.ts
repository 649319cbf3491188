import { call } from "@/components/api/call";
import { type PlannedChange, policyEndpoints, type Simulation } from "@/contracts/policy";
import { verdictWords } from "./sum-of-preview";

/** What a change would have done to all recorded calls that were tried so far. */
export type SimulationSum = Pick<Simulation, "examined" | "total" | "flips" | "calls" | "approvals" | "days"> & {
  /** Every call there is was tried, or as many as we try. */
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

/** Pages of a simulation, each as soon as it is there. */
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

/** "Of 9,812 calls of the last 30 days 312 would be decided otherwise: 300 Ask to Allow, 12 Allow to Deny." */
export function simulationSentence(sum: SimulationSum): string {
  if (sum.total === 0 && sum.isComplete) return `No call was recorded in the last ${simulatedDays} days.`;
  const calls = `${count(sum.examined)} ${sum.examined === 1 ? "call" : "calls"} of the last ${simulatedDays} days`;
  const flipped = flippedCalls(sum);
  if (flipped === 0) return `Of ${calls}, none would be decided otherwise.`;
  const list = sum.flips.map(({ before, after, calls: some }) => `${count(some)} ${verdictWords[before]} to ${verdictWords[after]}`);
  return `Of ${calls}, ${count(flipped)} would be decided otherwise: ${list.join(", ")}.`;
}

/** "Approvals a day: 41 now, 12 then." */
export function approvalsSentence({ approvals, days }: Pick<SimulationSum, "approvals" | "days">): string {
  const before = perDay(approvals.before / days);
  const after = perDay(approvals.after / days);
  return before === after ? `Approvals a day: ${before}, as now.` : `Approvals a day: ${before} now, ${after} then.`;
}

function perDay(number: number): string {
  if (number === 0) return "0";
  return number < 10 ? String(Math.round(number * 10) / 10 || "under 0.1") : count(Math.round(number));
}
