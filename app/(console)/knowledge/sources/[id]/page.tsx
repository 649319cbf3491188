import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryClient } from "@/components/kit/api/query-client";
import { knowledgeQueries } from "@/components/nouns/knowledge/queries";
import { SourceView } from "@/components/nouns/knowledge/source-view";
import { Id } from "@/contracts/common";
import { pageActor } from "@/server/auth/page-actor";
import { getPart } from "@/server/families/knowledge/sources/manage-sources";
import { isAppError } from "@/server/platform/errors";

export const metadata: Metadata = { title: "Source" };

type Address = { params: Promise<{ id: string }>; searchParams: Promise<{ page?: string | string[] }> };

export default async function SourcePage({ params, searchParams }: Address) {
  const actor = await pageActor("knowledge:read");
  const [{ id }, { page }] = [await params, await searchParams];
  if (!Id.safeParse(id).success) notFound();
  const number = typeof page === "string" && /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1;
  const part = await getPart(actor, id, number).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  cache.setQueryData(knowledgeQueries.part(id, number).queryKey, part);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <SourceView key={id} id={id} first={number} />
    </HydrationBoundary>
  );
}
