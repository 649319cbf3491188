import "server-only";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { TurnDraft } from "@/contracts/turns/turns";
import { artifacts, workspaces } from "@/db/schema";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { requirePermission } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { provideFamilies } from "@/server/families/provide-families";
import { checkSecretKey } from "@/server/families/secret-key/check-secret-key";
import { startDurableWork } from "@/server/jobs/start-durable-work";
import { createProvider } from "@/server/models/change-providers";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { authorize, buildConversation, buildWorkspace } from "@/server/testing/builders";
import { probes } from "@/server/testing/probe-tools";
import { buildTools } from "@/server/testing/test-tools";
import { waitForActiveTurns } from "@/server/turns/active-turns";
import { submitTurn } from "@/server/turns/submit-turn";

/** The key that seals the secrets of the databases of released versions, which hold nothing secret. */
export const versionKey = "the key of the databases of released versions";
export const fixtureSlug = "released-version";

/** Fills a database through the product: a turn that ended, one that needs approval, an artifact, a file and a sealed key. */
export async function fillVersion(): Promise<void> {
  const families = provideFamilies();
  const work = await startDurableWork(families.work);
  await checkSecretKey(true, () => {});
  await ensureAuditPartitions();
  const built = await buildWorkspace();
  await db().update(workspaces).set({ slug: fixtureSlug }).where(eq(workspaces.id, built.workspace.id));
  const { id: conversationId } = await buildConversation(built.agentKey);
  const gate = { opened: Promise.resolve(), open: () => {}, reached: Promise.resolve(), reach: () => {} };
  await buildTools(built.workspace.id, probes({ log: [], gate }));
  const submit = (name: string) =>
    submitTurn(requirePermission(built.agentKey, "turns:write"), {
      conversationId,
      draft: TurnDraft.parse({ calls: [{ id: "c0", name, arguments: { text: "of the released version" } }], wait: 10 }),
      idempotencyKey: null,
      signal: new AbortController().signal,
    });
  await submit("look");
  await submit("change");
  const provider = { name: "local", kind: "openai_compatible" as const, baseUrl: "http://127.0.0.1:9/v1", key: "sk-1234567890abcdef" };
  await createProvider(authorize(built.admin, "models:write"), { ...provider, enabled: true, models: [] });
  const stored = await blobs().put(Buffer.from("an artifact of the released version"));
  await db()
    .insert(artifacts)
    .values({ workspaceId: built.workspace.id, conversationId, name: "report.txt", mediaType: "text/plain", ...stored });
  await mkdir(path.join(env().workspaceRoot, "folder"), { recursive: true });
  await writeFile(path.join(env().workspaceRoot, "folder/file.txt"), "a file of the released version");
  await waitForActiveTurns();
  await work.stop();
}
