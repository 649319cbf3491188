import "server-only";
import type { AuditEvent, AuditFilter } from "@/contracts/audit/audit";
import type { Authorized } from "@/server/auth/actor";
import { makeArchiveReader } from "./archive/archive-files";
import { csvLine } from "./csv";
import { readAuditPage } from "./read-audit-page";
import type { AuditReader } from "./subject-names";

type Format = "csv" | "ndjson";

const pageRows = 500;
/** Time limit of a page in a download, which may be slow because no person waits for each page. */
const pageWithinMs = 60_000;

const columns: Record<string, (event: AuditEvent) => string | null> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  event: ({ event }) => event,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  subject: ({ subject }) => subject,
  tool: ({ tool }) => tool,
  agent: ({ agent }) => agent,
  source: ({ source }) => source,
  verdict: ({ verdict }) => verdict,
  conversationId: ({ conversationId }) => conversationId,
  turnId: ({ turnId }) => turnId,
  callId: ({ callId }) => callId,
  requestId: ({ requestId }) => requestId,
  data: ({ data }) => JSON.stringify(data),
  subjectName: ({ subjectName }) => subjectName,
};

/**
 * Streams all events of a filter as text, newest first. Pages are read as the client takes them, because the audit may
 * be larger than memory. Events recorded after the first page are not included. The first page is read before this
 * resolves, so that an early failure is an error answer and not a broken download.
 */
export async function exportAuditEvents(
  actor: Authorized<"audit:read">,
  filter: AuditFilter,
  format: Format,
): Promise<ReadableStream<Uint8Array>> {
  const pages = textPages(actor, filter, format);
  const first = await pages.next();
  const encoder = new TextEncoder();
  let next: IteratorResult<string, void> | null = first;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await pages.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pages.return();
    },
  });
}

async function* textPages(reader: AuditReader, filter: AuditFilter, format: Format): AsyncGenerator<string, void, void> {
  let text = format === "csv" ? csvLine(Object.keys(columns)) : "";
  let cursor: string | null | undefined;
  const reading = { withinMs: pageWithinMs, readArchive: makeArchiveReader() };
  do {
    const page = await readAuditPage(reader, { ...filter, limit: pageRows, ...(cursor ? { cursor } : {}) }, reading);
    for (const event of page.items) {
      text += format === "csv" ? csvLine(Object.values(columns).map((cellOf) => cellOf(event))) : `${JSON.stringify(event)}\n`;
    }
    if (text !== "") yield text;
    text = "";
    cursor = page.nextCursor;
  } while (cursor);
}
