import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { apiKeys, auditEvents, toolCalls, turns } from "@/db/schema";
import { actorFromApiKey } from "@/server/auth/actor-from-api-key";
import { createApiKeySecret } from "@/server/auth/api-keys/api-key-secret";
import { createUserToken, readUserToken } from "@/server/auth/sign-in/user-token";
import { db } from "@/server/platform/database/database";
import { compareClocks, sharedNowMs } from "@/server/platform/database/shared-clock";
import { submitCalls, useStage } from "@/server/testing/stage";

const stage = useStage();
const hourMs = 3_600_000;

/** The machine's clock goes wrong; only `Date` does, timers go on. */
async function setClockWrongBy(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  // A clock that stands still would hide how long an answer takes; it is enough for the difference.
  await compareClocks();
}

afterEach(async () => {
  vi.useRealTimers();
  await compareClocks();
});

async function insertKey(expiresIn: string) {
  const secret = createApiKeySecret();
  await db()
    .insert(apiKeys)
    .values({
      workspaceId: stage.built.workspace.id,
      name: "Runtime",
      prefix: secret.prefix,
      hash: secret.hash,
      scopes: ["turns:write"],
      createdBy: { type: "system", id: "handrail", name: "Handrail" },
      expiresAt: sql`now() + ${expiresIn}::interval` as unknown as Date,
    });
  return secret.key;
}

describe.each([
  ["two hours ahead", 2 * hourMs],
  ["a day behind", -24 * hourMs],
])("on a machine whose clock is %s", (_, differenceMs) => {
  test("a key expires by the database's clock", async () => {
    const valid = await insertKey("1 hour");
    const expired = await insertKey("-1 hour");
    await setClockWrongBy(differenceMs);
    await expect(actorFromApiKey(valid, "request")).resolves.toMatchObject({ name: "Runtime" });
    await expect(actorFromApiKey(expired, "request")).rejects.toThrow(/has expired/);
  });

  test("a turn, its calls and its audit rows carry the database's time", async () => {
    await setClockWrongBy(differenceMs);
    await submitCalls(stage, [["look", { text: "it" }]]);
    const off = (column: unknown) => sql<number>`max(abs(extract(epoch from now() - ${column})))::float8`;
    const [turn] = await db()
      .select({ made: off(turns.createdAt), ended: off(turns.finishedAt) })
      .from(turns);
    const [call] = await db()
      .select({ started: off(toolCalls.startedAt), ended: off(toolCalls.finishedAt) })
      .from(toolCalls);
    const [event] = await db()
      .select({ at: off(auditEvents.at) })
      .from(auditEvents);
    for (const seconds of Object.values({ ...turn, started: call?.started, settled: call?.ended, at: event?.at }))
      expect(seconds).toBeLessThan(300);
  });

  test("a token is valid on every replica", async () => {
    const claims = { sub: stage.built.workspace.id, workspace: stage.built.workspace.id, password: "p", session: stage.built.workspace.id };
    await setClockWrongBy(differenceMs);
    const { token } = await createUserToken(claims);
    vi.useRealTimers();
    await compareClocks();
    await expect(readUserToken(token)).resolves.toMatchObject({ sub: claims.sub });
  });
});

test("clocks that agree are left as they are", async () => {
  await compareClocks();
  expect(Math.abs(sharedNowMs() - Date.now())).toBeLessThan(hourMs);
});
