import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { agentEndpoints } from "@/contracts/agents/agents";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { identityEndpoints } from "@/contracts/identity/identity";
import { modelEndpoints } from "@/contracts/models/models";
import { runEndpoints } from "@/contracts/runs/runs";
import { buildPath, caller } from "../caller";
import { adminEmail, adminPassword, startProduct } from "../product";
import { startStreamingModelServer } from "../streaming-model-server";

test("a server killed while the model writes comes back and asks again, and the approved call ran once", async () => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-run-crash-"));
  const place = ".githooks/survived";
  let isHeld = true;
  const model = await startStreamingModelServer({
    key: "sk-of-the-crash",
    models: ["small"],
    reply: ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "It is written.", holds: isHeld }
        : { toolCalls: [{ id: "1", name: "write_file", arguments: { path: place, content: "yes\n", mode: "append" } }] },
  });
  try {
    const first = await startProduct({ dataDir, name: "run-crash" });
    const signIn = async (url: string) => {
      const { token } = await caller(url, null).call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
      return caller(url, token);
    };
    const before = await signIn(first.url);
    await before.call(modelEndpoints.create, {
      body: { name: "Lab", kind: "openai_compatible", baseUrl: model.url, key: "sk-of-the-crash", models: [{ name: "small" }] },
    });
    const [agent] = (await before.call(agentEndpoints.list)).items;
    const params = { id: agent?.id ?? "" };
    const asked = await before.call(runEndpoints.start, { params, body: { message: "Write it", wait: 30 } });
    expect(asked.status).toBe("waiting");
    const [approval] = (await before.call(approvalEndpoints.list, { query: { status: "pending" } })).items;
    await before.call(approvalEndpoints.decide, { params: { id: approval?.id ?? "" }, body: { decision: "approve" } });
    const events = await before.fetch(buildPath(runEndpoints.events.path, { params: { id: asked.id } }), { method: "GET" });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let streamed = ""; !streamed.includes("text.delta"); ) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      expect(done, streamed).toBe(false);
      streamed += value ?? "";
    }
    await first.kill();
    isHeld = false;

    const second = await startProduct({ dataDir, name: "run-crash", port: Number(new URL(first.url).port) });
    try {
      const admin = await signIn(second.url);
      const done = await admin.call(runEndpoints.get, { params: { id: asked.id }, query: { wait: 60 } });
      expect(done).toMatchObject({ status: "succeeded", answer: "It is written.", steps: 2 });
      const { items } = await admin.call(runEndpoints.messages, { params: { id: asked.id } });
      expect(items.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
      const { workspace } = await admin.call(identityEndpoints.me);
      const file = path.join(dataDir, "workspaces", workspace.id, "conversations", done.conversationId, place);
      expect(await readFile(file, "utf8")).toBe("yes\n");
      expect(model.asked.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(3);
    } finally {
      await second.stop();
    }
  } finally {
    await model.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
