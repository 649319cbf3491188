"use client";

import { IconBrain } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { SettingsPages } from "@/components/kit/settings-frame/settings-pages";
import { OrderedList } from "@/components/kit/ui/lists/ordered-list";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { FoundServers } from "./found-servers";
import { ProviderRow } from "./provider-row";
import { modelQueries, providerResource } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const ProviderDrawer = dynamic(() => import("./provider-drawer").then((file) => file.ProviderDrawer), { ssr: false });

const removalLoss = "Its key is deleted. Agents that use its models go on with the next provider.";

/** Settings → Models: the providers in the order of the fallback chain. */
export function ModelsView() {
  const page = useResourcePage(providerResource, { title: "Models", address: "provider", permission: "models:write" });
  const { list, rows: providers, refusal } = page;
  const local = useQuery({ ...modelQueries.local(), enabled: refusal === null });
  /** The provider with which a new one begins. */
  const [preset, setPreset] = useQueryState("preset", parseAsString.withOptions({ history: "push" }));
  const found = (local.data?.items ?? []).filter(({ providerId }) => providerId === null);
  const addButton = <AddButton noun="provider" page={page} />;
  return (
    <>
      <PageHeader title="Settings" description="Models answer in this order: the next provider is asked when one cannot answer.">
        {providers.length === 0 ? null : addButton}
      </PageHeader>
      <SettingsPages here="models" />
      <Loaded query={list} what="the model providers" rows={3} height={3.75}>
        {() =>
          providers.length === 0 ? (
            <EmptyState icon={IconBrain} title="No model is configured" action={addButton}>
              Tools, approvals and the guard work without a model. Add a provider to let agents answer people here.
            </EmptyState>
          ) : (
            <OrderedList
              items={providers}
              label="Model providers in order"
              leadWidth="8.5rem"
              onOrder={page.order}
              row={(provider, order) => (
                <ProviderRow
                  key={provider.id}
                  provider={provider}
                  order={order}
                  refusal={refusal}
                  onOpen={() => page.open(provider.id)}
                  onSwitch={(enabled) => page.switchEnabled(provider, enabled)}
                  onRemove={() => page.confirmRemoval(provider, removalLoss)}
                />
              )}
            />
          )
        }
      </Loaded>
      {found.length > 0 ? (
        <FoundServers
          servers={found}
          onAdd={({ server }) => {
            page.add();
            void setPreset(server);
          }}
        />
      ) : null}
      <ProviderDrawer
        id={page.id}
        preset={preset}
        providers={providers}
        servers={found}
        onClose={() => {
          page.close();
          void setPreset(null);
        }}
      />
    </>
  );
}
