import { expect, test } from "vitest";
import { defaultPolicies } from "@/contracts/guard/guard";
import { policyWords } from "./policy-words";

test("only the default by effect says something else with the sandbox", () => {
  expect(policyWords("by_effect", true).label).toBe("Allow sandboxed calls, ask for the rest");
  expect(policyWords("by_effect", false).label).toBe("Allow reads, ask for the rest");
  const others = defaultPolicies.filter((policy) => policy !== "by_effect");
  expect(others.map((policy) => policyWords(policy, true))).toEqual(others.map((policy) => policyWords(policy, false)));
});
