import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { isAppError } from "@/server/platform/errors";
import { listenForSignals } from "@/server/platform/signals/bus";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { useManualQueue } from "@/server/testing/manual-queue";
import { useTestDatabase } from "@/server/testing/test-database";
import { buildTools } from "@/server/testing/test-tools";
import { Bench, machineTools, toolsAt } from "@/server/testing/turns/machine-tools";
import { logTransitions } from "@/server/testing/turns/transition-log";
import { expectLawful } from "@/server/testing/turns/turn-laws";
import { type Command, TurnMachine } from "@/server/testing/turns/turn-machine";
import { findTurnTask } from "./active-turns";
import { resumeOnSignal } from "./recovery/resume-turn";

useTestDatabase();

/** HANDRAIL_PROPERTY_RUNS sets the number of runs; HANDRAIL_PROPERTY_SEED repeats a failure by its printed seed. */
const numRuns = Number(process.env.HANDRAIL_PROPERTY_RUNS ?? 30);
const seed = process.env.HANDRAIL_PROPERTY_SEED ? { seed: Number(process.env.HANDRAIL_PROPERTY_SEED) } : {};
const msPerRun = 3_000;
const msOfHungRun = 45_000;

let built: BuiltWorkspace;
let bench = new Bench();
beforeAll(async () => {
  await logTransitions();
  useManualQueue();
  // The engine makes the map of its turns before the machine looks into it.
  findTurnTask("");
  built = await buildWorkspace();
  await buildTools(
    built.workspace.id,
    toolsAt(() => bench),
  );
  const allowed = ["mark", "change", "fall"];
  for (const name of allowed) {
    await createRule(authorize(built.admin, "guard:write"), GuardRuleDraft.parse({ name, tool: name, verdict: "allow" }));
  }
  const stop = await listenForSignals();
  return stop;
});

const pick = fc.nat({ max: 20 });
const conversation = fc.nat({ max: 1 });
const call = fc.record({
  tool: fc.constantFrom(...machineTools, "change" as const, "change" as const),
  hold: fc.constantFrom("no" as const, "before" as const, "after" as const),
});
const wait = fc.constantFrom(0, 0.02, 10);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      conversation,
      calls: fc.array(call, { minLength: 1, maxLength: 5 }),
      key: fc.constantFrom(null, "a", "b"),
      wait,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("submit again" as const), pick, wait }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("release" as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("decide" as const), pick, decision: fc.constantFrom("approve" as const, "reject" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("expire" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), conversation }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("crash" as const), pick, isPaused: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("recover" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("resume" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("look elsewhere" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("resume elsewhere" as const), pick }) },
);
/** An awaited command finishes before the next one starts; the others run beside the next ones. */
const step = fc.record({ command, isAwaited: fc.boolean() });

/** Refusals that a client may hear: somebody was faster, or the conversation is gone. */
const expected = new Set(["already_decided", "not_found", "idempotency_mismatch"]);
function rethrowUnexpected(error: unknown): void {
  if (!isAppError(error) || !expected.has(error.code)) throw error;
}

test("whatever is submitted, decided, cancelled, killed and recovered in whatever order, no turn is lost and nothing happens twice", {
  timeout: 30_000 + numRuns * msPerRun,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), fc.boolean(), async (steps, resumesAtOnce) => {
    const machine = await TurnMachine.make(built);
    bench = machine.bench;
    const stopResuming = resumesAtOnce ? resumeOnSignal() : () => {};
    const beside: Promise<void>[] = [];
    try {
      for (const { command, isAwaited } of steps) {
        const done = machine.perform(command).catch(rethrowUnexpected);
        // Submissions that wait are never awaited here, because their turn may wait at the bench and stop the other commands.
        const neverWaits = command.do !== "submit" && command.do !== "submit again";
        if (isAwaited && (neverWaits || command.wait === 0)) await done;
        else beside.push(done);
        // `Promise.all(beside)` reports the failure.
        done.catch(() => {});
      }
      await machine.bringToRest();
      await Promise.all(beside);
      await machine.bringToRest();
      await expectLawful(machine);
    } finally {
      bench.open();
      stopResuming();
    }
  });
  // A failure prints its commands at once: timing cannot be shrunk, and shrinking would end as a test that hangs.
  await fc.assert(property, { numRuns, timeout: msOfHungRun, endOnFailure: true, ...seed });
  expect(numRuns).toBeGreaterThan(0);
});
