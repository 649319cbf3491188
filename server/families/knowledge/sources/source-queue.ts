import { z } from "zod";
import { Id } from "@/contracts/common";
import type { Db } from "@/db/client";
import type { knowledgeSources } from "@/db/schema";
import { defineQueue, enqueue } from "@/server/platform/queue";

/** One item is one content of a source. The source's row says how far it is read. */
export const sourceQueue = defineQueue({
  name: "read_knowledge_source",
  title: "Sources of knowledge bases",
  description: "Reads the text of a source, from the page that was read last",
  input: z.object({ sourceId: Id, revision: z.int() }),
  retry: { attempts: 4, firstDelaySeconds: 2, maxDelaySeconds: 60 },
  concurrency: 2,
});

type Unread = Pick<typeof knowledgeSources.$inferSelect, "id" | "workspaceId" | "revision">;

/** Queues the reading of sources in the transaction that adds them. */
export const queueReading = (tx: Db, sources: readonly Unread[]): Promise<void> =>
  enqueue(
    tx,
    sourceQueue,
    sources.map(({ id, workspaceId, revision }) => ({ workspaceId, input: { sourceId: id, revision } })),
  );
