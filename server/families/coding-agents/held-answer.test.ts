import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { heldAnswer } from "./held-answer";

test("an answer is sent once it is known", async () => {
  const answer = Promise.withResolvers<JsonObject>();
  const text = heldAnswer(answer.promise, {}).text();
  answer.resolve({ decision: "allow" });
  expect(JSON.parse(await text)).toEqual({ decision: "allow" });
});

test.each(["answer", "error"] as const)("an %s that comes after the client left is dropped", async (end) => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const answer = Promise.withResolvers<JsonObject>();
  await heldAnswer(answer.promise, {}).body?.cancel();
  if (end === "answer") answer.resolve({ decision: "allow" });
  else answer.reject(new Error("nobody waits for the answer any more"));
  await setImmediate();
  await setImmediate();
  expect(faults).toEqual([]);
});
