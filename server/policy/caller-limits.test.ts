import { expect, test } from "vitest";
import { callerLimits } from "./caller-limits";

const key = { type: "api_key", id: "k", name: "Bot" } as const;
const person = { type: "user", id: "u", name: "Ann" } as const;
const anything = { name: "default", allowedEffects: null };

test("the agent and the key of a call limit it", () => {
  const agent = { name: "reader", allowedEffects: ["read"] as const };
  const limits = { allowedEffects: ["read" as const, "write" as const], trustClass: "gateway" as const };
  expect(callerLimits(key, agent, limits).limits).toEqual([
    { whose: "the agent reader", effects: ["read"] },
    { whose: "the API key Bot", effects: ["read", "write"] },
  ]);
  expect(callerLimits(key, anything, { ...limits, allowedEffects: null }).limits).toEqual([]);
  expect(callerLimits(person, anything, null).limits).toEqual([]);
});

test("a person is an operator, a key what it was given, and everybody else has the least trust", () => {
  const limits = { allowedEffects: null, trustClass: "operator" as const };
  expect(callerLimits(person, anything, null).trust).toBe("operator");
  expect(callerLimits(key, anything, limits).trust).toBe("operator");
  expect(callerLimits(key, anything, null).trust).toBe("child_agent");
  expect(callerLimits({ type: "system", id: "system", name: "Handrail" }, anything, limits).trust).toBe("child_agent");
});
