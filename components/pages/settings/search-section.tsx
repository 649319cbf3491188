"use client";

import { Button, Modal, Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { ProviderNote, ProviderRow } from "@/components/kit/provider-list/provider-row";
import { useRefusal } from "@/components/kit/session/me";
import { SettingsSection } from "@/components/kit/settings-frame/settings-section";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { moveItem } from "@/components/kit/ui/lists/move-item";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { toolQueries } from "@/components/nouns/tools/queries";
import {
  type SearchProvider,
  type SearchSettings,
  type SearchSettingsPatch,
  searchSettingsEndpoints,
} from "@/contracts/browser/tools/search-settings";
import { searchSettingsQueries } from "./queries";

const SearchProviderForm = dynamic(() => import("./search-provider-form").then((file) => file.SearchProviderForm), { ssr: false });
const SearchTrialForm = dynamic(() => import("./search-trial-form").then((file) => file.SearchTrialForm), { ssr: false });

/** The providers of web_search: order, keys and a trial. */
export function SearchSection() {
  return (
    <SettingsSection
      id="search"
      title="Search"
      description="Providers of web_search, asked in this order. Changes apply to the next call."
      query={searchSettingsQueries.get()}
      what="the search settings"
      rows={5}
      height={3.75}
    >
      {(settings) => <SearchProviders settings={settings} />}
    </SettingsSection>
  );
}

function SearchProviders({ settings }: { settings: SearchSettings }) {
  const refusal = useRefusal("tools:write");
  const client = useQueryClient();
  const [edited, setEdited] = useState<SearchProvider | null>(null);
  const [trying, setTrying] = useState(false);
  const { enabled, fallback, providers, unavailableReason } = settings;
  const save = useMutation({
    mutationFn: (patch: SearchSettingsPatch) => call(searchSettingsEndpoints.update, { body: patch }, { version: settings.version }),
    meta: { showsError: true },
    onError: async (error) => {
      notifications.show({ color: "red", message: toErrorSentence(error) });
      await client.invalidateQueries({ queryKey: searchSettingsQueries.get().queryKey });
    },
    onSuccess: async (saved) => {
      client.setQueryData(searchSettingsQueries.get().queryKey, saved);
      await client.invalidateQueries({ queryKey: toolQueries.all() });
    },
  });
  const isLocked = refusal !== null || save.isPending;
  const move = (id: string, to: number) => {
    const moved = moveItem(providers, id, to);
    if (moved !== providers) save.mutate({ providers: moved.map((provider) => ({ id: provider.id })) });
  };
  const setEnabled = (changed: SearchProvider, isOn: boolean) => save.mutate({ providers: [{ id: changed.id, enabled: isOn }] });
  return (
    <div className={shared.story}>
      <DisabledReason reason={refusal}>
        <Switch
          label="Web search"
          description={enabled && unavailableReason ? spellHidden(unavailableReason) : "Off makes web_search unavailable to all agents"}
          checked={enabled}
          disabled={isLocked}
          onChange={(event) => save.mutate({ enabled: event.currentTarget.checked })}
        />
      </DisabledReason>
      <DisabledReason reason={refusal}>
        <Switch
          label="Fallback"
          description="Asks the next provider when one fails"
          checked={fallback}
          disabled={isLocked}
          onChange={(event) => save.mutate({ fallback: event.currentTarget.checked })}
        />
      </DisabledReason>
      <ol className={rows.rows} aria-label="Search providers" data-off={!enabled || undefined}>
        {providers.map((provider, place) => (
          <ProviderRow
            key={provider.id}
            title={provider.title}
            enabled={provider.enabled}
            status={provider.status}
            place={place}
            count={providers.length}
            refusal={refusal}
            isLocked={isLocked}
            onMove={(to) => move(provider.id, to)}
            onSwitch={(isOn) => setEnabled(provider, isOn)}
            onEdit={() => setEdited(provider)}
          >
            <ProviderNote>
              <ProviderAddress provider={provider} />
            </ProviderNote>
          </ProviderRow>
        ))}
      </ol>
      {refusal !== null ? null : trying ? (
        <SearchTrialForm providers={providers} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setTrying(true)}>
            Try a query
          </Button>
        </div>
      )}
      <Modal opened={edited !== null} onClose={() => setEdited(null)} title={spellHidden(`Set up ${edited?.title ?? ""}`)}>
        {edited ? <SearchProviderForm settings={settings} provider={edited} onDone={() => setEdited(null)} /> : null}
      </Modal>
    </div>
  );
}

function ProviderAddress({ provider: { address, defaultAddress, needs, hasKey } }: { provider: SearchProvider }) {
  const shownAddress = address ?? defaultAddress;
  return (
    <>
      {shownAddress ? <CodeText dim>{shownAddress}</CodeText> : "An instance of your own"}
      {needs === "key" && hasKey ? " · Key stored" : ""}
    </>
  );
}
