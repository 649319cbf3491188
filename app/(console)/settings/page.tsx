import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { agentQueries, mostAgents } from "@/components/agents/queries";
import { queryClient } from "@/components/api/query-client";
import { AboutSection } from "@/components/settings/about-section";
import { AgentsSection } from "@/components/settings/agents-section";
import { ApiKeysSection } from "@/components/settings/api-keys-section";
import { DelegateSection } from "@/components/settings/delegate-section";
import { MembersSection } from "@/components/settings/members-section";
import { delegateQueries, identityQueries, mostListed } from "@/components/settings/queries";
import { PageHeader } from "@/components/ui/page-header";
import packageJson from "@/package.json";
import { listAgents } from "@/server/agents/list-agents";
import { demand } from "@/server/auth/actor";
import { listApiKeys } from "@/server/auth/list-api-keys";
import { listUsers } from "@/server/auth/list-users";
import { pageActor } from "@/server/auth/page-actor";
import { getDelegate } from "@/server/tools/delegate/set-delegate";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  const admin = actor.permissions.has("admin") ? demand(actor, "admin") : null;
  await Promise.all([
    cache.prefetchQuery({ ...agentQueries.list(), queryFn: () => listAgents(actor, { limit: mostAgents }) }),
    cache.prefetchQuery({ ...delegateQueries.get(), queryFn: () => getDelegate(actor) }),
    admin && cache.prefetchQuery({ ...identityQueries.apiKeys(), queryFn: () => listApiKeys(admin, { limit: mostListed }) }),
    admin && cache.prefetchQuery({ ...identityQueries.users(), queryFn: () => listUsers(admin, { limit: mostListed }) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Settings" />
      <ApiKeysSection />
      <MembersSection />
      <AgentsSection />
      <DelegateSection />
      <AboutSection version={packageJson.version} />
    </HydrationBoundary>
  );
}
