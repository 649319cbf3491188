import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { Turn, turnEndpoints } from "@/contracts/turns/turns";
import { buildPath, readProblem } from "../caller";
import { startCluster } from "./cluster";
import { retryUntilAnswered } from "./retry-until-answered";

const places = 4;
const many = 24;

test("beyond its limit a replica refuses turns at once with when to come again, and those who do all get theirs, once", async () => {
  test.setTimeout(180_000);
  const cluster = await startCluster({ name: "admission", roles: ["all"], settings: { HANDRAIL_MAX_TURNS: String(places) } });
  try {
    const { admin, agent, sql } = cluster;
    await admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "allow" } });
    const conversations = await Promise.all(
      Array.from({ length: many }, async () => (await agent.call(conversationEndpoints.create, { body: {} })).id),
    );
    const submission = (id: string): [string, RequestInit] => [
      buildPath(turnEndpoints.submit.path, { params: { id } }),
      {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "once" },
        body: JSON.stringify({
          calls: [{ id: "1", name: "shell_execute", arguments: { command: "sleep 0.3; echo done >> done.txt" } }],
          wait: 10,
        }),
      },
    ];
    const first = await Promise.all(conversations.map((id) => agent.fetch(...submission(id))));
    const refused = first.filter(({ status }) => status === 429);
    expect(first.length - refused.length).toBeGreaterThanOrEqual(1);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    for (const response of refused) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await readProblem(response)).code).toBe("too_many_requests");
    }
    const [stored] = await sql<{ count: number }[]>`select count(*)::int as count from turns`;
    expect(stored?.count, "nothing of a refused turn was stored").toBe(first.length - refused.length);

    const seen = { answers: {}, complaints: [] };
    const answers = await Promise.all(conversations.map((id) => retryUntilAnswered(agent, seen, ...submission(id))));
    expect(seen.complaints).toEqual([]);
    for (const { body } of answers) expect(Turn.parse(body).calls.map(({ status }) => status)).toEqual(["succeeded"]);
    for (const id of conversations) expect(await readFile(path.join(cluster.folderOf(id), "done.txt"), "utf8")).toBe("done\n");
  } finally {
    await cluster.stop();
  }
});
