import { expect, test } from "vitest";
import { type Elicit, type RunningCall, RunningCalls } from "./running-calls";

const form = { message: "Which year?", requestedSchema: { type: "object" as const, properties: {} } };
const signal = new AbortController().signal;

/** A call of one conversation that ends when it is told to, with what its question and its clock did. */
function callOf(elicit: Elicit) {
  const end = Promise.withResolvers<void>();
  const clock = { stands: 0 };
  const call: RunningCall = {
    ...{ conversationId: "one", elicit, client: null, log: null },
    standStill: async (wait) => {
      clock.stands += 1;
      try {
        return await wait();
      } finally {
        clock.stands -= 1;
      }
    },
  };
  return { call, clock, end: () => end.resolve(), ended: end.promise };
}

test("a question of two calls stops both clocks, and is the other call's when the asked one ends without the answer", async () => {
  const calls = new RunningCalls();
  const taken = Promise.withResolvers<never>();
  const asked: string[] = [];
  const first = callOf(async () => {
    asked.push("first");
    return taken.promise;
  });
  const second = callOf(async () => {
    asked.push("second");
    return { action: "accept", content: {} };
  });
  const [one, two] = [first, second].map(({ call, ended }) => calls.during(call, () => ended));
  const answer = calls.elicit(form, signal);
  await expect.poll(() => asked).toEqual(["first"]);
  expect(second.clock.stands, "its clock stands while it may have asked").toBe(1);
  first.end();
  await one;
  taken.reject(new Error("the call has ended"));
  expect(await answer).toEqual({ action: "accept", content: {} });
  expect(asked).toEqual(["first", "second"]);
  expect(second.clock.stands).toBe(0);
  second.end();
  await two;
});

test("a question of which every call has ended is unanswered, and an error of a call that goes on is the answer's", async () => {
  const calls = new RunningCalls();
  const taken = Promise.withResolvers<never>();
  const only = callOf(() => taken.promise);
  const running = calls.during(only.call, () => only.ended);
  const answer = calls.elicit(form, signal);
  only.end();
  await running;
  taken.reject(new Error("the call has ended"));
  expect(await answer).toEqual({ action: "cancel" });

  const failing = callOf(() => Promise.reject(new Error("the database is away")));
  const goesOn = calls.during(failing.call, () => failing.ended);
  await expect(calls.elicit(form, signal)).rejects.toThrow("the database is away");
  failing.end();
  await goesOn;
});
