import { expect, test } from "vitest";
import { ask, askCommand, useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { everydaySession } from "@/server/testing/coding-agents/everyday-session";

const stage = useCodingStage();

test("of 60 everyday calls of a session at most 3 ask a person, and none is denied", { timeout: 60_000 }, async () => {
  expect(everydaySession).toHaveLength(60);
  const asked: string[] = [];
  for (const [place, call] of everydaySession.entries()) {
    const callId = `c${place}`;
    const { verdict } =
      typeof call === "string" ? await askCommand(stage, call, { callId }) : await ask(stage, { tool: call[0], input: call[1], callId });
    expect(verdict, JSON.stringify(call)).not.toBe("deny");
    if (verdict === "pending") asked.push(JSON.stringify(call));
  }
  expect(asked.length, asked.join(", ")).toBeLessThanOrEqual(3);
});
