"use client";

import { Button } from "@mantine/core";
import { IconBrain, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryStates } from "nuqs";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { useRefusal } from "@/components/session/me";
import { SettingsPages } from "@/components/settings-frame/settings-pages";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { OrderedList } from "@/components/ui/ordered-list";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { confirmRemoval } from "./confirm-removal";
import { FoundServers } from "./found-servers";
import { ProviderRow } from "./provider-row";
import { modelQueries } from "./queries";
import { useOrderProviders, useSwitchProvider } from "./use-change-provider";

// Loaded after the page, because a drawer opens only on a click.
const ProviderDrawer = dynamic(() => import("./provider-drawer").then((file) => file.ProviderDrawer), { ssr: false });

/** `provider`: an id or `new`; `preset`: the provider with which a new one begins. */
const inTheAddress = { provider: parseAsString, preset: parseAsString };

/** Settings → Models: the providers in the order of the fallback chain. */
export function ModelsView() {
  const refusal = useRefusal("models:write");
  const client = useQueryClient();
  const providers = useQuery(modelQueries.list());
  const local = useQuery({ ...modelQueries.local(), enabled: refusal === null });
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  const order = useOrderProviders();
  const switching = useSwitchProvider();
  useRowKeys("Models");
  const open = (provider: string | null, preset: string | null = null) => void setAddress({ provider, preset });
  const add = () => {
    if (refusal === null) open("new");
  };
  useShortcuts([{ keys: "n", label: "Add a provider", group: "Models", run: add }]);

  const items = providers.data?.items ?? [];
  const found = (local.data?.items ?? []).filter(({ providerId }) => providerId === null);
  const addButton = (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add} disabled={refusal !== null}>
        Add provider
      </Button>
    </DisabledReason>
  );
  return (
    <>
      <PageHeader title="Settings" description="Models answer in this order: the next provider is asked when one cannot answer.">
        {items.length === 0 ? null : addButton}
      </PageHeader>
      <SettingsPages here="models" />
      {providers.isPending ? (
        <RowSkeletons rows={3} height={3.75} what="the model providers" />
      ) : !providers.data ? (
        <ErrorState
          error={providers.error}
          what="the model providers"
          retry={() => void providers.refetch()}
          retrying={providers.isFetching}
        />
      ) : items.length === 0 ? (
        <EmptyState icon={IconBrain} title="No model is configured" action={addButton}>
          Tools, approvals and the guard work without a model. Add a provider to let agents answer people here.
        </EmptyState>
      ) : (
        <OrderedList
          items={items}
          label="Model providers in order"
          leadWidth="8.5rem"
          onOrder={(moved) => order.mutate(moved)}
          row={(provider, rowOrder) => (
            <ProviderRow
              key={provider.id}
              provider={provider}
              order={rowOrder}
              refusal={refusal}
              onOpen={() => open(provider.id)}
              onSwitch={(enabled) => switching.mutate({ provider, enabled })}
              onRemove={() => confirmRemoval(provider, client)}
            />
          )}
        />
      )}
      {found.length > 0 ? <FoundServers servers={found} onAdd={({ server }) => open("new", server)} /> : null}
      <ProviderDrawer id={address.provider} preset={address.preset} providers={items} servers={found} onClose={() => open(null)} />
    </>
  );
}
