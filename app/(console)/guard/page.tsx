import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { GuardView } from "@/components/nouns/guard/guard-view";
import { guardQueries } from "@/components/nouns/guard/queries";
import { guardSearch } from "@/components/nouns/guard/search-params";
import { sandboxQueries } from "@/components/nouns/sandbox/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { getConfig } from "@/server/policy/rules/guard-config";
import { listRules } from "@/server/policy/rules/list-rules";
import { listVersions } from "@/server/policy/versions/list-versions";
import { listTools } from "@/server/tools/admin/list-tools";

export const metadata: Metadata = { title: "Guard" };

const search = createLoader(guardSearch);

export default async function GuardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("guard:read");
  const { tab } = await search(searchParams);
  const cache = queryClient();
  const everything = { limit: Number.MAX_SAFE_INTEGER };
  await Promise.all([
    cache.prefetchQuery({ ...sandboxQueries.status(), queryFn: () => sandboxStatus() }),
    cache.prefetchQuery({ ...guardQueries.config(), queryFn: () => getConfig(actor) }),
    cache.prefetchQuery({ ...guardQueries.rules(), queryFn: async () => (await listRules(actor, everything)).items }),
    cache.prefetchQuery({
      ...toolQueries.list(),
      queryFn: async () => (await listTools(requirePermission(actor, "tools:read"), everything)).items,
    }),
    tab === "versions" ? cache.prefetchInfiniteQuery({ ...guardQueries.versions(), queryFn: () => listVersions(actor) }) : null,
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader
        title="Guard"
        description="Every call is checked before it runs. The stricter of detectors and the first matching rule applies."
      />
      <GuardView />
    </HydrationBoundary>
  );
}
