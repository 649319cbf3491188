import { expect, test } from "vitest";
import { HookAction } from "@/contracts/hooks/hook-actions";
import { actionSentence } from "./action-sentence";

test.each([
  [{ type: "redact", pattern: "\\d{16}" }, "redacts \\d{16}"],
  [{ type: "redact", pattern: "\\d{16}", pointer: "/card" }, "redacts \\d{16} at /card"],
  [{ type: "mask", fields: ["a", "b", "c", "d", "e"] }, "masks a, b, c and 2 more"],
  [{ type: "set", pointer: "/limit", value: 10 }, "sets /limit"],
  [{ type: "inject", pointer: "/limit", value: 10 }, "adds /limit where it is missing"],
  [{ type: "validate", pattern: "^ok$", pointer: "/state" }, "refuses what does not fit ^ok$ at /state"],
  [{ type: "validate", schema: { type: "object" } }, "refuses what does not fit a schema"],
  [{ type: "deny", reason: "Not today." }, "denies"],
  [
    { type: "filter", keep: ["id"], drop: ["email"], lines: { pattern: "DEBUG", keep: false } },
    "keeps only id, drops email, drops lines with DEBUG",
  ],
  [{ type: "truncate", maxChars: 2_000 }, "cuts texts at 2,000 characters"],
  [{ type: "audit" }, "writes to the audit"],
  [{ type: "webhook", url: "https://hooks.example.com/x?key=1" }, "tells hooks.example.com"],
  [{ type: "webhook", url: "https://hooks.example.com/x", decides: true }, "asks hooks.example.com"],
  [{ type: "cache", ttlSeconds: 3_600 }, "cache 3,600 s"],
  [{ type: "count_tokens" }, "counts tokens"],
  [{ type: "fall_back", result: "later" }, "gives a result in place of the error"],
  [{ type: "judge" }, "judge not set: denies"],
  [{ type: "judge", agentId: "0199f7a0-0000-7000-8000-000000000000" }, "an agent judges"],
  [{ type: "judge", url: "https://judge.example.com/" }, "judge at judge.example.com"],
])("%o reads: %s", (action, sentence) => {
  expect(actionSentence(HookAction.parse(action))).toBe(sentence);
});
