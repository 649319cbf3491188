import "server-only";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type SQL, sql } from "drizzle-orm";
import { auditArchives } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { sha256 } from "@/server/platform/crypto";
import { AppError, isAppError } from "@/server/platform/errors";

export type Archive = Pick<
  typeof auditArchives.$inferSelect,
  "id" | "workspaceId" | "firstSeal" | "lastSeal" | "rows" | "sha256" | "minAt" | "maxAt"
>;

/** Columns of an archive that reading it takes. */
export const archiveColumns = {
  id: auditArchives.id,
  workspaceId: auditArchives.workspaceId,
  firstSeal: auditArchives.firstSeal,
  lastSeal: auditArchives.lastSeal,
  rows: auditArchives.rows,
  sha256: auditArchives.sha256,
  minAt: auditArchives.minAt,
  maxAt: auditArchives.maxAt,
};

/** A row of an archive with the texts that its seal covers. */
export type ArchivedRow = { id: string; xid: string; fields: string; payload: string };

const unzip = promisify(gunzip);

/**
 * Reads the rows of an archive in the order of the audit.
 * @throws AppError `unavailable` when the file is missing or is another one
 */
export async function readArchive(archive: Archive): Promise<ArchivedRow[]> {
  const bytes = await readFile(archive);
  if (sha256(bytes) !== archive.sha256) throw damaged(archive, "was changed");
  const text = (await unzip(bytes)).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => (JSON.parse(line) as { rows: ArchivedRow[] }).rows);
}

async function readFile(archive: Archive): Promise<Buffer> {
  try {
    const { stream } = await blobs().read(archive.sha256);
    return Buffer.from(await new Response(stream).arrayBuffer());
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") throw damaged(archive, "is missing", error);
    throw error;
  }
}

/** The file of an archive is not there, or is another one. */
class ArchiveError extends AppError {
  constructor(
    readonly archive: Archive,
    sentence: string,
    cause?: unknown,
  ) {
    super("unavailable", sentence, { cause });
  }
}

function damaged(archive: Archive, how: string, cause?: unknown): ArchiveError {
  const days = `${archive.minAt.toISOString().slice(0, 10)} to ${archive.maxAt.toISOString().slice(0, 10)}`;
  return new ArchiveError(
    archive,
    `The file ${archive.sha256} with ${archive.rows} archived events of ${days} ${how}. Restore it to the blob store from a backup, or narrow with \`from\`.`,
    cause,
  );
}

/** Tells whether an error says that the file of an archive is not there or is another one. */
export const isArchiveError = (error: unknown): error is ArchiveError => isAppError(error) && "archive" in error;

/** Makes a reader that keeps the last archive, for whoever reads the audit page by page. */
export function makeArchiveReader(): (archive: Archive) => Promise<ArchivedRow[]> {
  let last: { id: string; rows: Promise<ArchivedRow[]> } | null = null;
  return (archive) => {
    if (last?.id !== archive.id) last = { id: archive.id, rows: readArchive(archive) };
    return last.rows;
  };
}

const time = (member: string) => sql.raw(`to_timestamp((texts.f ->> '${member}')::int8 / 1000.0)::timestamptz(3)`);
const uuid = (member: string) => sql.raw(`(texts.f ->> '${member}')::uuid`);
const text = (member: string) => sql.raw(`texts.f ->> '${member}'`);

/** SQL of a relation that has archived rows with the columns of `audit_events`, so that every condition on these fits it. */
export const archivedEvents = (rows: readonly ArchivedRow[]): SQL => sql`(
  select ${uuid("id")} as id, ${time("at")} as at, ${uuid("workspaceId")} as workspace_id, ${text("event")} as event,
    ${text("actorType")} as actor_type, ${text("actorId")} as actor_id, texts.p ->> 'actorName' as actor_name,
    texts.p ->> 'subject' as subject, ${text("tool")} as tool, ${text("agent")} as agent, ${text("source")} as source,
    ${text("verdict")} as verdict, ${uuid("conversationId")} as conversation_id, ${uuid("turnId")} as turn_id,
    ${uuid("callId")} as call_id, texts.p -> 'data' as data, ${text("requestId")} as request_id, ${time("movedAt")} as moved_at,
    (line ->> 'xid')::int8 as xid
  from json_array_elements(${JSON.stringify(rows)}::json) as line,
    lateral (select (line ->> 'fields')::jsonb as f, (line ->> 'payload')::jsonb as p) as texts)`;
