import { expect, test } from "vitest";
import { askedByWords } from "./asked-by";

const by = (agent: string) => ({ agentId: agent, agent, conversationId: "c" });
const ann = { type: "user", id: "u", name: "Ann" } as const;

test("an approval of a child names every agent that asked, nearest first, and the person or the key at the end", () => {
  expect(askedByWords({ delegators: [by("coder"), by("writer")], requestedBy: ann })).toBe("asked by coder, for writer, for Ann");
  expect(askedByWords({ delegators: [by("coder")], requestedBy: { type: "api_key", id: "k", name: "ci" } })).toBe(
    'asked by coder, for key "ci"',
  );
  expect(askedByWords({ delegators: [], requestedBy: ann })).toBeNull();
});
