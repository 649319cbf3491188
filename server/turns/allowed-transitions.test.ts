import { expect, test } from "vitest";
import { type CallStatus, callStatuses, finalCallStatuses } from "@/contracts/calls/call-statuses";
import { turnStatuses } from "@/contracts/turns/turns";
import { assertMove, callMoves, turnMoves } from "./allowed-transitions";

/** Statuses that can be reached from one, in any number of moves. */
function reachable<Status extends string>(moves: Readonly<Record<Status, readonly Status[]>>, from: Status): Set<Status> {
  const seen = new Set<Status>();
  const next = [from];
  for (let at = next.pop(); at; at = next.pop()) {
    for (const to of moves[at]) {
      if (seen.has(to)) continue;
      seen.add(to);
      next.push(to);
    }
  }
  return seen;
}

test("nothing leads out of an end, and an end can be reached from everywhere else", () => {
  for (const status of callStatuses) {
    const isFinal = (finalCallStatuses as readonly CallStatus[]).includes(status);
    expect({ status, leads: callMoves[status].length > 0 }).toEqual({ status, leads: !isFinal });
    // A released call was allowed for good, and its client does not stop it by a time limit of ours.
    const ends = status === "released" ? ["succeeded", "failed", "cancelled", "interrupted"] : finalCallStatuses;
    if (!isFinal) expect([...reachable(callMoves, status)]).toEqual(expect.arrayContaining([...ends]));
  }
  for (const status of turnStatuses) {
    const isFinal = status === "completed" || status === "cancelled";
    expect({ status, leads: turnMoves[status].length > 0 }).toEqual({ status, leads: !isFinal });
  }
});

test("a call never succeeds without having run", () => {
  const into = (status: CallStatus) => callStatuses.filter((from) => callMoves[from].includes(status));
  for (const status of ["succeeded", "interrupted"] as const) expect(into(status)).toEqual(["running", "released"]);
  expect(into("timed_out")).toEqual(["running"]);
});

test("Handrail never runs a call that was released to its client", () => {
  expect(callMoves.released).not.toContain("running");
  expect([...reachable(callMoves, "released")]).not.toContain("running");
});

test("a move that must not happen is a mistake that is named", () => {
  expect(() => assertMove(callMoves, "call 1", "succeeded", "running")).toThrow("call 1 cannot go from succeeded to running");
  expect(() => assertMove(turnMoves, "turn 1", "completed", "suspended")).toThrow("turn 1 cannot go from completed to suspended");
  expect(() => assertMove(callMoves, "call 1", "pending", "running")).not.toThrow();
});
