import { eq } from "drizzle-orm";
import { beforeEach } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { type MediaProviderDraft, MediaSettingsPatch, mediaProviderIds } from "@/contracts/models/media";
import { activations, guardConfig, mediaTasks } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { updateMediaSettings } from "@/server/families/media/settings/media-settings";
import { db } from "@/server/platform/database/database";
import { syncTools } from "@/server/tools/sync-tools";
import { waitForJob } from "@/server/turns/background/wait-for-job";
import { authorize } from "./builders";
import { builtinTools } from "./builtin-tools";
import { type Interfere, mediaServer } from "./services/media-server";
import { neverAborted, type Stage, submitCalls, useStage } from "./stage";

/** Sets up a stage with the media tools, which run without asking. */
export function useMediaStage(): Stage {
  const stage = useStage();
  beforeEach(async () => {
    const workspaceId = stage.built.workspace.id;
    const shipped = builtinTools.filter(({ family, hiddenUntilActive }) => family === "media" || hiddenUntilActive);
    await db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId: null }, shipped));
    await activate(stage);
    await allowEverything(stage, true);
  });
  return stage;
}

/** Makes the extension tools callable, as `enable_tool` does. */
async function activate({ conversationId }: Stage): Promise<void> {
  const names = builtinTools.filter(({ family }) => family === "media").map(({ name }) => name);
  await db()
    .insert(activations)
    .values(names.map((toolName) => ({ conversationId, toolName })))
    .onConflictDoNothing();
}

/** Sets whether calls run without asking, or as the default policy says. */
export async function allowEverything({ built }: Pick<Stage, "built">, isAllowed: boolean): Promise<void> {
  const workspaceId = built.workspace.id;
  await db().transaction(async (tx) => {
    const defaultPolicy = isAllowed ? "allow" : "by_effect";
    await tx.update(guardConfig).set({ defaultPolicy }).where(eq(guardConfig.workspaceId, workspaceId));
    await bumpConfigVersion(tx, workspaceId);
  });
}

export type Serving = Awaited<ReturnType<typeof mediaServer>>;
type Drafts = readonly (Omit<MediaProviderDraft, "address"> & { interfere?: Interfere; polls?: number })[];

/** Gives the workspace these providers in this order, each with a server of its own; the others are off. */
export async function serveProviders(stage: Stage, drafts: Drafts): Promise<Serving[]> {
  const servers = await Promise.all(
    drafts.map(({ interfere, polls }) => mediaServer({ ...(interfere ? { interfere } : {}), ...(polls ? { polls } : {}) })),
  );
  const own = drafts.map(({ interfere: _, polls: __, ...draft }, at) => ({
    enabled: true,
    key: "key-1",
    ...draft,
    address: servers[at]?.address(draft.id) ?? null,
  }));
  const others = mediaProviderIds.filter((id) => !drafts.some((draft) => draft.id === id)).map((id) => ({ id, enabled: false }));
  await updateMediaSettings(
    authorize(stage.built.admin, "tools:write"),
    MediaSettingsPatch.parse({ providers: [...own, ...others] }),
    null,
  );
  return servers;
}

/** Calls one tool and returns its call. */
export async function callTool(stage: Stage, name: string, args: JsonObject) {
  const { calls } = await submitCalls(stage, [[name, args]]);
  const [call] = calls;
  if (!call) throw new Error("the turn has no call");
  return call;
}

/** Waits for the background job of a call. */
export async function jobOf(call: { jobId: string | null; content: string }) {
  if (call.jobId === null) throw new Error(`the call became no job: ${call.content}`);
  const job = await waitForJob(call.jobId, 30, neverAborted);
  if (!job) throw new Error("the job is gone");
  return job;
}

export const tasksOf = ({ conversationId }: Stage) =>
  db().select().from(mediaTasks).where(eq(mediaTasks.conversationId, conversationId)).orderBy(mediaTasks.id);
