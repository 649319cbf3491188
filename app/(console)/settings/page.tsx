import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { SettingsPages } from "@/components/kit/settings-frame/settings-pages";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { agentQueries, maxAgents } from "@/components/nouns/agents/queries";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";
import { auditRetentionQueries } from "@/components/nouns/audit/proof-queries";
import { delegationQueries } from "@/components/nouns/delegation/queries";
import { authProfileQueries } from "@/components/nouns/http-tools/queries";
import { MembersSection } from "@/components/nouns/members/members-section";
import { memberQueries } from "@/components/nouns/members/queries";
import { AboutSection } from "@/components/pages/settings/about-section";
import { ApiKeysSection } from "@/components/pages/settings/api-keys-section";
import { AuditSection } from "@/components/pages/settings/audit-section";
import { AuthProfilesSection } from "@/components/pages/settings/auth-profiles-section";
import { CommandsSection } from "@/components/pages/settings/commands-section";
import { DelegateSection } from "@/components/pages/settings/delegate-section";
import { DelegationSection } from "@/components/pages/settings/delegation-section";
import { MailSection } from "@/components/pages/settings/mail-section";
import {
  delegateQueries,
  mailSettingsQueries,
  resultSettingsQueries,
  searchSettingsQueries,
  shellSettingsQueries,
} from "@/components/pages/settings/queries";
import { RegistriesSection } from "@/components/pages/settings/registries-section";
import { ResultsSection } from "@/components/pages/settings/results-section";
import { SearchSection } from "@/components/pages/settings/search-section";
import { workQueries } from "@/components/pages/work/queries";
import { WorkSection } from "@/components/pages/work/work-section";
import { listAgents } from "@/server/agents/list-agents";
import { requirePermission } from "@/server/auth/actor";
import { listApiKeys } from "@/server/auth/api-keys/list-api-keys";
import { listUsers } from "@/server/auth/members/list-users";
import { pageActor } from "@/server/auth/page-actor";
import { getAuditSettings } from "@/server/families/audit-proof/retention/settings";
import { getDelegationSettings } from "@/server/families/delegation/settings";
import { authProfiles } from "@/server/families/http-tools/auth-profiles/auth-profiles";
import { getMailSettings } from "@/server/families/notifications/mail-settings";
import { getDelegate } from "@/server/families/pipelines/set-delegate";
import { getShellSettings } from "@/server/families/shell/shell-settings";
import { getSearchSettings } from "@/server/families/web/search/search-settings";
import { listFailedItems } from "@/server/jobs/list-failed-items";
import { listWorkQueues } from "@/server/jobs/list-work-queues";
import { version } from "@/server/platform/version";
import { getResultSettings } from "@/server/tools/results/result-settings";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  const admin = actor.permissions.has("admin") ? requirePermission(actor, "admin") : null;
  const toolWriter = actor.permissions.has("tools:write") ? requirePermission(actor, "tools:write") : null;
  const auditReader = actor.permissions.has("audit:read") ? requirePermission(actor, "audit:read") : null;
  await Promise.all([
    toolWriter &&
      cache.prefetchQuery({
        ...authProfileQueries.list(),
        queryFn: async () => (await authProfiles.list({ actor: toolWriter, query: { limit: maxPageSize } })).items,
      }),
    cache.prefetchQuery({ ...agentQueries.list(), queryFn: () => listAgents(actor, { limit: maxAgents }) }),
    cache.prefetchQuery({ ...delegateQueries.get(), queryFn: () => getDelegate(actor) }),
    cache.prefetchQuery({ ...delegationQueries.settings(), queryFn: () => getDelegationSettings(actor) }),
    cache.prefetchQuery({ ...resultSettingsQueries.get(), queryFn: () => getResultSettings(actor) }),
    cache.prefetchQuery({ ...searchSettingsQueries.get(), queryFn: () => getSearchSettings(actor) }),
    cache.prefetchQuery({ ...shellSettingsQueries.get(), queryFn: () => getShellSettings(actor) }),
    auditReader && cache.prefetchQuery({ ...auditRetentionQueries.settings(), queryFn: () => getAuditSettings(auditReader) }),
    admin && cache.prefetchQuery({ ...apiKeyQueries.list(), queryFn: () => listApiKeys(admin, { limit: maxPageSize }) }),
    admin && cache.prefetchQuery({ ...mailSettingsQueries.get(), queryFn: () => getMailSettings(admin) }),
    admin && cache.prefetchQuery({ ...memberQueries.list(), queryFn: () => listUsers(admin, { limit: maxPageSize }) }),
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
      <MailSection />
      <DelegationSection />
      <DelegateSection />
      <AuditSection />
      <WorkSection />
      <AboutSection version={version} />
    </HydrationBoundary>
  );
}
