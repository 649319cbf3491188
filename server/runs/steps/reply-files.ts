import "server-only";
import type { RunFile } from "@/contracts/runs/runs";
import { artifacts } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import type { ModelFile } from "@/server/models/model-request";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import type { RunRow } from "../run-row";

const endings: Readonly<Record<string, string>> = { "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" };

/** Stores the files of a reply as artifacts of the conversation. No call made them, so they belong to the run. */
export async function keepReplyFiles(
  { id: runId, workspaceId, conversationId }: Pick<RunRow, "id" | "workspaceId" | "conversationId">,
  files: readonly ModelFile[] = [],
): Promise<RunFile[]> {
  if (files.length === 0) return [];
  const rows = await Promise.all(
    files.map(async ({ mediaType, data }, index) => {
      const { sha256, bytes } = await blobs().put(data);
      const ending = endings[mediaType] ?? "bin";
      return { id: newId(), workspaceId, conversationId, callId: runId, name: `reply-${index + 1}.${ending}`, mediaType, bytes, sha256 };
    }),
  );
  await db().insert(artifacts).values(rows);
  return rows.map(({ id, mediaType, bytes }) => ({ artifactId: id, mediaType, bytes }));
}

/** Adds a note on the files of a reply, so that the model knows later what it made and how tools find it. */
export function withFileNote(text: string, files: readonly RunFile[] = []): string {
  if (files.length === 0) return text;
  const names = files.map(({ artifactId, mediaType }) => `artifact:${artifactId} (${mediaType})`).join(", ");
  return [text, `[You made ${names}, which the user sees.]`].filter((part) => part !== "").join("\n\n");
}
