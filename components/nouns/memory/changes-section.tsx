"use client";

import { Switch } from "@mantine/core";
import { IconMoon } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { type MemoryChange, type MemorySettingsPatch, memoryUpkeepEndpoints } from "@/contracts/browser/memory/memory-upkeep";
import type { MemoryOwnerCount } from "@/contracts/memory/memory";
import { Archive } from "./archive";
import { MeaningForm } from "./meaning-form";
import classes from "./memory.module.css";
import { ownerWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";
import { useChangeMemory } from "./use-change-memory";

const statuses = {
  applied: { tone: "allow", word: "Applied" },
  nothing: { tone: "unavailable", word: "Nothing to remember" },
  undone: { tone: "deny", word: "Undone" },
} as const;
const kinds = { extraction: "After a conversation", consolidation: "Consolidation" } as const;

/** The switches for memory that the agent's model writes, its changes, and the archive. */
export function ChangesSection({ shown, owners }: { shown: Shown; owners: readonly MemoryOwnerCount[] }) {
  const changes = useQuery(memoryQueries.changes(shown));
  return (
    <>
      <UpkeepSwitches shown={shown} />
      <Archive shown={shown} />
      <Loaded query={changes} what="the changes" rows={3} height={3.5}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconMoon} title="No changes by the agent's model">
              Changes of the agent's model appear here as diffs that can be undone.
            </EmptyState>
          ) : (
            <ul className={rows.rows} aria-label="Changes by the agent's model">
              {items.map((change) => (
                <ChangeRow key={change.id} change={change} owner={ownerWord(change.ownerKey, owners)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function UpkeepSwitches({ shown }: { shown: Shown }) {
  const client = useQueryClient();
  const refusal = useRefusal("memory:write");
  const { queryKey } = memoryQueries.settings(shown.agentId);
  const settings = useQuery(memoryQueries.settings(shown.agentId));
  const save = useMutation({
    mutationFn: (body: MemorySettingsPatch) =>
      call(memoryUpkeepEndpoints.updateSettings, { params: { id: shown.agentId }, body }, { version: settings.data?.version ?? 0 }),
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
    onError: () => client.invalidateQueries({ queryKey }),
  });
  const consolidate = useMutation({
    mutationFn: (ownerKey: string) => call(memoryUpkeepEndpoints.consolidate, { params: { id: shown.agentId }, body: { ownerKey } }),
    onSettled: () => client.invalidateQueries({ queryKey: memoryQueries.all() }),
  });
  const { ownerKey } = shown;
  return (
    <Loaded query={settings} what="the settings" rows={2} height={2.5}>
      {({ extraction, consolidation, embeddingModel }) => (
        <div className={shared.stack}>
          <Switch
            label="Extraction after conversations"
            description="The agent's model notes what is worth remembering for the person. Never after schedules and delegated work."
            checked={extraction}
            disabled={refusal !== null || save.isPending}
            onChange={() => save.mutate({ extraction: !extraction, consolidation })}
          />
          <Switch
            label="Nightly consolidation"
            description="At 03:00 UTC the agent's model rewrites MEMORY.md of each owner from the latest daily notes."
            checked={consolidation}
            disabled={refusal !== null || save.isPending}
            onChange={() => save.mutate({ extraction, consolidation: !consolidation })}
          />
          <MeaningForm
            key={embeddingModel ? `${embeddingModel.providerId}/${embeddingModel.model}` : "none"}
            model={embeddingModel}
            disabled={refusal !== null || save.isPending}
            onSave={(embeddingModel) => save.mutate({ extraction, consolidation, embeddingModel })}
          />
          {ownerKey ? (
            <RefusableButton
              refusal={refusal}
              className={shared.atStart}
              variant="default"
              loading={consolidate.isPending}
              onClick={() => consolidate.mutate(ownerKey)}
            >
              Consolidate now
            </RefusableButton>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

function ChangeRow({ change, owner }: { change: MemoryChange; owner: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const refusal = useRefusal("memory:write");
  const { undoChange } = useChangeMemory();
  const { tone, word } = statuses[change.status];
  return (
    <li className={`${rows.row} ${classes.item}`}>
      <div className={shared.fluid}>
        <strong>{kinds[change.kind]}</strong>
        <p className={classes.text}>
          <RevealedText text={change.reason || "No reason given."} />
        </p>
        <div className={classes.about}>
          <StatusBadge tone={tone} plain>
            {word}
          </StatusBadge>
          <span>
            <RevealedText text={owner} />
          </span>
          <span>
            <RevealedText text={change.files.map(({ filename }) => filename).join(", ")} />
          </span>
          {change.facts > 0 ? <span>{change.facts} facts</span> : null}
          {change.mergedEntries > 0 ? <span>{change.mergedEntries} entries merged</span> : null}
          <RelativeTime at={change.createdAt} />
        </div>
        {isOpen ? <ChangeDiffs id={change.id} /> : null}
      </div>
      <span className={shared.tight}>
        {change.files.length > 0 ? (
          <FoldButton isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)}>
            Diff
          </FoldButton>
        ) : null}
        {change.status === "applied" ? (
          <RefusableButton
            refusal={refusal}
            variant="default"
            size="compact-sm"
            loading={undoChange.isPending}
            onClick={() => undoChange.mutate(change.id)}
          >
            Undo
          </RefusableButton>
        ) : null}
      </span>
    </li>
  );
}

function ChangeDiffs({ id }: { id: string }) {
  const change = useQuery(memoryQueries.change(id));
  if (!change.data) return <Busy what="Loading the changes" />;
  return (
    <div className={shared.stackClose}>
      {change.data.diffs.map(({ filename, before, after }) => (
        <DiffView key={filename} label={filename} before={before} after={after} />
      ))}
    </div>
  );
}
