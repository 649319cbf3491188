"use client";

import { Modal } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { moveItem } from "@/components/kit/ui/lists/move-item";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import type { MediaProvider, MediaSettings } from "@/contracts/models/media";
import { MediaProviderRow } from "./media-provider-row";
import { useSaveMedia } from "./use-save-media";

const MediaProviderForm = dynamic(() => import("./media-provider-form").then((file) => file.MediaProviderForm), { ssr: false });

/** The media providers in their order, each with its key, its models and a test. */
export function MediaProviders({ settings }: { settings: MediaSettings }) {
  const refusal = useRefusal("tools:write");
  const save = useSaveMedia(settings);
  const [edited, setEdited] = useState<MediaProvider | null>(null);
  const { providers } = settings;
  const move = (id: string, to: number) => {
    const moved = moveItem(providers, id, to);
    if (moved !== providers) save.mutate({ providers: moved.map((provider) => ({ id: provider.id })) });
  };
  const setEnabled = (changed: MediaProvider, isOn: boolean) => save.mutate({ providers: [{ id: changed.id, enabled: isOn }] });
  return (
    <>
      <ol className={rows.rows} aria-label="Media providers">
        {providers.map((provider, place) => (
          <MediaProviderRow
            key={provider.id}
            provider={provider}
            place={place}
            count={providers.length}
            refusal={refusal}
            isLocked={refusal !== null || save.isPending}
            onMove={(to) => move(provider.id, to)}
            onSwitch={(isOn) => setEnabled(provider, isOn)}
            onEdit={() => setEdited(provider)}
          />
        ))}
      </ol>
      <Modal opened={edited !== null} onClose={() => setEdited(null)} title={spellHidden(`Set up ${edited?.title ?? ""}`)}>
        {edited ? <MediaProviderForm settings={settings} provider={edited} onDone={() => setEdited(null)} /> : null}
      </Modal>
    </>
  );
}
