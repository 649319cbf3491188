import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { agentQueries, mostAgents } from "@/components/agents/queries";
import { longestPage } from "@/components/api/longest-page";
import { queryClient } from "@/components/api/query-client";
import { apiKeyQueries } from "@/components/api-keys/queries";
import { delegationQueries } from "@/components/delegation/queries";
import { authProfileQueries } from "@/components/http-tools/queries";
import { MembersSection } from "@/components/members/members-section";
import { memberQueries } from "@/components/members/queries";
import { AboutSection } from "@/components/settings/about-section";
import { ApiKeysSection } from "@/components/settings/api-keys-section";
import { AuthProfilesSection } from "@/components/settings/auth-profiles-section";
import { CommandsSection } from "@/components/settings/commands-section";
import { DelegateSection } from "@/components/settings/delegate-section";
import { DelegationSection } from "@/components/settings/delegation-section";
import { delegateQueries, resultSettingsQueries, searchSettingsQueries, shellSettingsQueries } from "@/components/settings/queries";
import { RegistriesSection } from "@/components/settings/registries-section";
import { ResultsSection } from "@/components/settings/results-section";
import { SearchSection } from "@/components/settings/search-section";
import { SettingsPages } from "@/components/settings-frame/settings-pages";
import { PageHeader } from "@/components/ui/page-header";
import { workQueries } from "@/components/work/queries";
import { WorkSection } from "@/components/work/work-section";
import { listAgents } from "@/server/agents/list-agents";
import { requirePermission } from "@/server/auth/actor";
import { listApiKeys } from "@/server/auth/list-api-keys";
import { listUsers } from "@/server/auth/list-users";
import { pageActor } from "@/server/auth/page-actor";
import { getDelegationSettings } from "@/server/families/delegation/settings";
import { authProfiles } from "@/server/families/http-tools/auth-profiles/auth-profiles";
import { getDelegate } from "@/server/families/pipelines/set-delegate";
import { getShellSettings } from "@/server/families/shell/shell-settings";
import { getSearchSettings } from "@/server/families/web/search/search-settings";
import { listFailedItems } from "@/server/jobs/list-failed-items";
import { listWorkQueues } from "@/server/jobs/list-work-queues";
import { version } from "@/server/platform/version";
import { getResultSettings } from "@/server/tools/result-settings";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  const admin = actor.permissions.has("admin") ? requirePermission(actor, "admin") : null;
  const toolWriter = actor.permissions.has("tools:write") ? requirePermission(actor, "tools:write") : null;
  await Promise.all([
    toolWriter &&
      cache.prefetchQuery({
        ...authProfileQueries.list(),
        queryFn: async () => (await authProfiles.list({ actor: toolWriter, query: { limit: longestPage } })).items,
      }),
    cache.prefetchQuery({ ...agentQueries.list(), queryFn: () => listAgents(actor, { limit: mostAgents }) }),
    cache.prefetchQuery({ ...delegateQueries.get(), queryFn: () => getDelegate(actor) }),
    cache.prefetchQuery({ ...delegationQueries.settings(), queryFn: () => getDelegationSettings(actor) }),
    cache.prefetchQuery({ ...resultSettingsQueries.get(), queryFn: () => getResultSettings(actor) }),
    cache.prefetchQuery({ ...searchSettingsQueries.get(), queryFn: () => getSearchSettings(actor) }),
    cache.prefetchQuery({ ...shellSettingsQueries.get(), queryFn: () => getShellSettings(actor) }),
    admin && cache.prefetchQuery({ ...apiKeyQueries.list(), queryFn: () => listApiKeys(admin, { limit: longestPage }) }),
    admin && cache.prefetchQuery({ ...memberQueries.list(), queryFn: () => listUsers(admin, { limit: longestPage }) }),
    admin && cache.prefetchQuery({ ...workQueries.queues(), queryFn: () => listWorkQueues(admin) }),
    admin && cache.prefetchQuery({ ...workQueries.failed(), queryFn: () => listFailedItems(admin) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Settings" />
      <SettingsPages here="general" />
      <ApiKeysSection />
      <MembersSection />
      <ResultsSection />
      <SearchSection />
      <CommandsSection />
      <AuthProfilesSection />
      <RegistriesSection />
      <DelegationSection />
      <DelegateSection />
      <WorkSection />
      <AboutSection version={version} />
    </HydrationBoundary>
  );
}
