import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryClient } from "@/components/kit/api/query-client";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { RawJournalEvent } from "@/components/nouns/turns/journal-event";
import { turnQueries } from "@/components/nouns/turns/queries";
import { TurnView } from "@/components/pages/turn/turn-view";
import { Id } from "@/contracts/common";
import type { Turn } from "@/contracts/turns/turns";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { eventsAfter } from "@/server/conversations/turn-events";
import { isAppError } from "@/server/platform/errors";
import { listTools } from "@/server/tools/admin/list-tools";
import { getTurn } from "@/server/turns/read/load-turn";
import { turnFeed } from "@/server/turns/read/turn-feed";

type Known = Awaited<ReturnType<typeof eventsAfter>>;

export const metadata: Metadata = { title: "Turn" };

export default async function TurnPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor("turns:read");
  const { id } = await params;
  if (!Id.safeParse(id).success) notFound();
  // The journal is read before the turn: events written between the two reads arrive through the event stream.
  const events = await eventsAfter(id, 0);
  const turn = await getTurn(actor, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  await cache.prefetchQuery({
    ...toolQueries.list(),
    queryFn: async () => (await listTools(requirePermission(actor, "tools:read"), { limit: Number.MAX_SAFE_INTEGER })).items,
  });
  cache.setQueryData(turnQueries.one(id).queryKey, turn);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <TurnView key={id} id={id} journalAtFirst={await journalOf(turn, events)} />
    </HydrationBoundary>
  );
}

/** Returns the journal as the event stream sends it; for a turn without recorded events, `turnFeed` derives them from the rows. */
async function journalOf({ id, finishedAt }: Turn, known: Known): Promise<RawJournalEvent[]> {
  if (finishedAt === null || known.length > 0) {
    return known.map(({ seq, event, data, createdAt }) => ({ seq, name: event, data: { ...data, at: createdAt.toISOString() } }));
  }
  const told: RawJournalEvent[] = [];
  for await (const { id: seq, event, data } of turnFeed(id, 0, new AbortController().signal)) {
    if (seq) told.push({ seq: Number(seq), name: event, data });
  }
  return told;
}
