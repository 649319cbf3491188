import { expect, test } from "vitest";
import { runtimeActor, useStage } from "@/server/testing/stage";
import { liveTurn } from "@/server/testing/turns/live-turns";
import { decideCalls } from "./decide-calls";
import { executeCalls, groupConcurrentCalls } from "./execute-calls";
import { planCalls } from "./plan-calls";

const stage = useStage();

test("a failure of a call that was cancelled is thrown, and is not taken for the cancellation", async () => {
  const live = liveTurn(runtimeActor(stage), stage.conversationId, ["hold"]);
  const segment = await decideCalls(await planCalls(live, []));
  // A call that takes its folder's lock.
  const ready = segment.ready.map((call) => ({ ...call, registered: { ...call.registered, concurrencySafe: false } }));
  expect(ready).toHaveLength(1);
  const cancelled = new AbortController();
  const run = { live, cancelled: cancelled.signal, cancel: () => {}, isKnown: () => {}, holdBackMs: 0 };
  const executed = executeCalls(run, { ...segment, ready });
  await stage.gate.reached;
  // The call's end now finds no call to settle.
  live.calls = [];
  cancelled.abort(new Error("the turn was cancelled"));
  await expect(executed).rejects.toThrow("is not one of turn");
  stage.gate.open();
});

test("calls about jobs keep their order, and equal ones run together", () => {
  const call = (name: string, concurrencySafe = true) => ({
    registered: { name, concurrencySafe },
    tool: { needs: name === "look" || name === "write" ? [] : ["jobs"] },
  });
  const groupsOf = (...names: string[]) =>
    groupConcurrentCalls(names.map((name) => call(name, name !== "write"))).map((group) => group.map(({ registered }) => registered.name));
  expect(groupsOf("wait", "read_job")).toEqual([["wait"], ["read_job"]]);
  expect(groupsOf("wait", "stop_task")).toEqual([["wait"], ["stop_task"]]);
  expect(groupsOf("wait", "wait", "look")).toEqual([["wait", "wait", "look"]]);
  expect(groupsOf("look", "look", "write", "look")).toEqual([["look", "look"], ["write"], ["look"]]);
});
