import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { CodingConnectionDraft } from "@/contracts/agents/coding-agents";
import { apiKeys } from "@/db/schema";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { db } from "@/server/platform/database/database";
import { authorize, buildApiKey } from "@/server/testing/builders";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { askCommand, askerOf, useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { listConnections, noteConnection, removeConnection } from "./connections";

const stage = useCodingStage();

const laptop = { client: "claude-code", host: "laptop", user: "ada" } as const;
const connect = (more: object = {}, actor = askerOf(stage)) => noteConnection(actor, CodingConnectionDraft.parse({ ...laptop, ...more }));
const listed = async () => (await listConnections(authorize(stage.built.admin, "turns:read"))).items;
const newKey = async () => authorize(await buildApiKey(stage.built.workspace.id, { scopes: ["guard:ask"] }), "guard:ask");

describe("a connection", () => {
  test("that was taken out again is not listed, and those of other keys, clients and machines stay", async () => {
    await connect();
    await connect({ host: "desk" });
    await connect({ client: "codex" });
    await connect({}, await newKey());
    await removeConnection(askerOf(stage), laptop);
    expect((await listed()).map(({ client, host }) => [client, host])).toEqual([
      ["claude-code", "laptop"],
      ["codex", "laptop"],
      ["claude-code", "desk"],
    ]);
  });

  test("is removed over HTTP with its own key", async () => {
    const { origin, key } = await codingHttp(stage);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const at = `${origin}/api/v1/coding-connections`;
    expect((await fetch(at, { method: "POST", headers, body: JSON.stringify(laptop) })).status).toBe(200);
    expect(await listed()).toHaveLength(1);
    expect((await fetch(`${at}?client=claude-code&host=laptop`, { method: "DELETE", headers })).ok).toBe(true);
    expect(await listed()).toEqual([]);
  });

  test.each([
    ["was revoked", () => revokeApiKey(authorize(stage.built.admin, "admin"), stage.key.id)],
    [
      "has expired",
      () =>
        db()
          .update(apiKeys)
          .set({ expiresAt: new Date(0) })
          .where(eq(apiKeys.id, stage.key.id)),
    ],
  ])("whose key %s says so, although the client was seen", async (said, end) => {
    await askCommand(stage, "npm test", { host: "laptop" });
    await connect();
    expect((await listed())[0]?.problem).toBeNull();
    await end();
    const [first] = await listed();
    expect(first?.problem).toContain(`Its key ${said}, so every call of this client is blocked there.`);
    await connect({}, await newKey());
    expect((await listed()).map(({ problem }) => problem?.includes("Its key"))).toEqual([false, undefined]);
  });
});
