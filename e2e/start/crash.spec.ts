import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { z } from "zod";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { identityEndpoints } from "@/contracts/identity/identity";
import { type SubmittedCall, turnEndpoints } from "@/contracts/turns/turns";
import { caller } from "../caller";
import { adminEmail, adminPassword, startProduct } from "../product";

test("a server killed while a person decides comes back with the question, and the answer finishes the turn", async () => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-crash-"));
  try {
    const first = await startProduct({ dataDir, name: "crash" });
    const agentKey = first.agentKey();
    const before = caller(first.url, agentKey);
    const { id } = await before.call(conversationEndpoints.create, { body: {} });
    // A file that runs by itself, so that writing it asks.
    const calls: z.input<typeof SubmittedCall>[] = [
      { id: "1", name: "date_time", arguments: {} },
      { id: "2", name: "write_file", arguments: { path: ".githooks/survived", content: "yes\n", mode: "append" } },
      { id: "3", name: "read_file", arguments: { path: ".githooks/survived" } },
    ];
    const asked = await before.call(turnEndpoints.submit, { params: { id }, body: { calls } });
    expect(asked.status).toBe("suspended");
    await first.kill();

    const second = await startProduct({ dataDir, name: "crash", port: Number(new URL(first.url).port) });
    try {
      const agent = caller(second.url, agentKey);
      const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
      const admin = caller(second.url, token);
      const { items } = await admin.call(approvalEndpoints.list, { query: { status: "pending" } });
      expect(items.map(({ turnId }) => turnId)).toEqual([asked.id]);

      const poll = agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 60 } });
      await admin.call(approvalEndpoints.decide, { params: { id: items[0]?.id ?? "" }, body: { decision: "approve" } });
      const done = await poll;
      expect(done.calls.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
      const { workspace } = await admin.call(identityEndpoints.me);
      const file = path.join(dataDir, "workspaces", workspace.id, "conversations", id, ".githooks/survived");
      expect(await readFile(file, "utf8")).toBe("yes\n");
    } finally {
      await second.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
