import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { skillQueries } from "@/components/nouns/skills/queries";
import { SkillsView } from "@/components/nouns/skills/skills-view";
import { pageActor } from "@/server/auth/page-actor";
import { listSkills } from "@/server/families/skills/manage-skills";

export const metadata: Metadata = { title: "Skills" };

export default async function SkillsPage() {
  const actor = await pageActor("skills:read");
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({ ...skillQueries.list({ query: "", state: null }), queryFn: () => listSkills(actor, { limit: 50 }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <SkillsView />
    </HydrationBoundary>
  );
}
