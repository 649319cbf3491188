import "server-only";
import { eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { NativeToolOptions, type NativeToolOptionsPatch, type NativeToolSettings } from "@/contracts/tools/native-tool-options";
import type { Db } from "@/db/client";
import { nativeToolOptions } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

type Row = typeof nativeToolOptions.$inferSelect;

const none: NativeToolOptions = { provider_image_generation: {}, provider_web_search: {} };

/** Returns the options of one tool; none for a tool without any. */
export const findNativeOptions = (options: NativeToolOptions, name: string): JsonObject =>
  Object.hasOwn(options, name) ? (options[name as keyof NativeToolOptions] as JsonObject) : {};

/** Reads the options of a workspace's provider tools, for the catalog. */
export async function readNativeOptions(workspaceId: string): Promise<NativeToolOptions> {
  return (await findRow(db(), workspaceId))?.options ?? none;
}

export async function getNativeOptions(actor: Authorized<"tools:read">): Promise<NativeToolSettings> {
  return present(await findRow(db(), actor.workspaceId));
}

/** Replaces all options. @param version from If-Match @throws AppError `stale_version` */
export function replaceNativeOptions(
  actor: Authorized<"tools:write">,
  options: NativeToolOptions,
  version: number | null,
): Promise<NativeToolSettings> {
  return save(actor, version, () => options);
}

/**
 * Merges options: null removes one, and an empty object removes all of a tool.
 * @param version from If-Match
 * @throws AppError `stale_version`; `invalid` when the merged options do not fit together
 */
export function updateNativeOptions(
  actor: Authorized<"tools:write">,
  patch: NativeToolOptionsPatch,
  version: number | null,
): Promise<NativeToolSettings> {
  return save(actor, version, (before) => merged(before, patch));
}

function merged(before: NativeToolOptions, patch: NativeToolOptionsPatch): NativeToolOptions {
  const changed = Object.fromEntries(
    Object.entries(patch).map(([tool, options]) => [
      tool,
      Object.keys(options ?? {}).length === 0 ? {} : withoutNull({ ...before[tool as keyof NativeToolOptions], ...options }),
    ]),
  );
  const parsed = NativeToolOptions.safeParse({ ...before, ...changed });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new AppError("invalid", `The options do not fit together: ${errors.map(({ path, message }) => `${path} ${message}`).join("; ")}`, {
    errors,
  });
}

const withoutNull = (options: object) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));

async function save(
  actor: Authorized<"tools:write">,
  version: number | null,
  change: (before: NativeToolOptions) => NativeToolOptions,
): Promise<NativeToolSettings> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    // Inserts the row first, because a missing row cannot be locked.
    await tx.insert(nativeToolOptions).values({ workspaceId, options: none, version: 0 }).onConflictDoNothing();
    const [before] = await tx.select().from(nativeToolOptions).where(eq(nativeToolOptions.workspaceId, workspaceId)).for("update");
    if (!before) throw new Error("the options of provider tools have no row");
    if (version !== null && version !== before.version) {
      throw new AppError("stale_version", "Somebody changed these options meanwhile. Reload the options, then repeat your change.");
    }
    const options = change(before.options);
    const [saved] = await tx
      .update(nativeToolOptions)
      .set({ options, version: before.version + 1 })
      .where(eq(nativeToolOptions.workspaceId, workspaceId))
      .returning();
    await recordConfigChange(tx, {
      workspaceId,
      event: "native_tool_options.updated",
      actor: toActorRef(actor),
      subject: null,
      data: { new: options, old: before.options },
      requestId: actor.requestId,
    });
    return present(saved);
  });
}

async function findRow(tx: Db, workspaceId: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(nativeToolOptions).where(eq(nativeToolOptions.workspaceId, workspaceId));
  return row;
}

const present = (row: Row | undefined): NativeToolSettings => ({
  options: row?.options ?? none,
  version: row?.version ?? 0,
  updatedAt: row?.updatedAt.toISOString() ?? null,
});
