import { existsSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { type CodingClientName, codingClients, useCodingClients } from "@/server/testing/coding-agents/coding-clients";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { approverActor } from "@/server/testing/stage";

const clients = Object.keys(codingClients) as CodingClientName[];
const { stage, play, inProject } = useCodingClients();
const minute = 60_000;

test("a call runs when a person approves it after eleven minutes, in every client", { timeout: 20 * minute }, async () => {
  const place = await codingHttp(stage);
  const played = [];
  for (const client of clients) played.push(await play(client, `touch ${client} && cat /etc/passwd > /dev/null`, place));
  const open = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
  const cards = await vi.waitFor(
    async () => {
      const found = await db().select({ id: approvals.id }).from(approvals).where(open);
      expect(found).toHaveLength(clients.length);
      return found;
    },
    { timeout: 5 * minute, interval: 500 },
  );
  const asked = Date.now();
  await vi.waitUntil(() => Date.now() - asked > 11 * minute, { timeout: 12 * minute, interval: 1_000 });
  expect(await db().$count(approvals, open)).toBe(clients.length);
  for (const { id } of cards) await decideApproval(approverActor(stage), id, { decision: "approve", comment: "" });
  const said = await Promise.all(played.map(({ ended }) => ended));
  expect(
    clients.filter((client) => existsSync(inProject(client))),
    said.join("\n"),
  ).toEqual(clients);
});
