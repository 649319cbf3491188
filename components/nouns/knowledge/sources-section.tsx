"use client";

import { ActionIcon, Button, FileButton, Group, Progress, TextInput } from "@mantine/core";
import { IconFileOff, IconRefresh, IconTrash, IconUpload } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type DragEvent, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import type { KnowledgeSource } from "@/contracts/knowledge/knowledge-sources";
import { AddText } from "./add-text";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { progressWords, sourceAddress, stateTones, stateWords } from "./source-words";
import { useAddFiles } from "./use-add-files";

const noSources = (
  <EmptyState icon={IconFileOff} title="No sources yet">
    Drop documents here. They are kept as they came, and agents search their text.
  </EmptyState>
);

/** Sources of a base: drop files, add an address or a text, and watch them being read. */
export function SourcesSection({ baseId }: { baseId: string }) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: knowledgeQueries.of(baseId) });
  const list = useInfiniteQuery(knowledgeQueries.sources(baseId));
  const refusal = useRefusal("knowledge:write");
  return (
    <>
      {refusal === null ? <AddSources baseId={baseId} refresh={refresh} /> : null}
      <PagedList query={list} items="sources" skeletons={{ rows: 4, height: 3.5 }} empty={noSources}>
        {(items) => (
          <ul className={rows.rows} aria-label="Sources">
            {items.map((source) => (
              <SourceRow key={source.id} source={source} mayChange={refusal === null} refresh={refresh} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function AddSources({ baseId, refresh }: { baseId: string; refresh: () => Promise<unknown> }) {
  const { add, isSending, faults } = useAddFiles(baseId, refresh);
  const [isOver, setOver] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [url, setUrl] = useState("");
  const fetching = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(knowledgeEndpoints.addLink, { params: { id: baseId }, body: { url: url.trim() } }),
    onSuccess: () => {
      setUrl("");
      void refresh();
    },
  });
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void add([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className={shared.note}>Drop PDF, Word, Markdown, text, HTML or ZIP files here, at most 64 MiB each.</p>
      <Group gap="xs" justify="center">
        <FileButton
          key={chosen}
          multiple
          inputProps={{ "aria-label": "Files to add as sources" }}
          onChange={(picked) => {
            // A new input, so that the same file can be picked again.
            setChosen(chosen + 1);
            void add(picked);
          }}
        >
          {(button) => (
            <Button loading={isSending} leftSection={<IconUpload size={16} aria-hidden />} {...button}>
              Choose files
            </Button>
          )}
        </FileButton>
        <AddText baseId={baseId} refresh={refresh} />
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== "") fetching.mutate();
        }}
      >
        <Group gap="xs" align="flex-start">
          <TextInput
            aria-label="Address to fetch"
            placeholder="https://example.com/guide.html"
            value={url}
            error={fetching.error ? toErrorSentence(fetching.error) : null}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={fetching.isPending} disabled={url.trim() === ""}>
            Fetch address
          </Button>
        </Group>
      </form>
      {faults.map((fault) => (
        <p key={fault} className={shared.errorText} role="alert">
          <RevealedText text={fault} />
        </p>
      ))}
    </div>
  );
}

type SourceRowProps = { source: KnowledgeSource; mayChange: boolean; refresh: () => Promise<unknown> };

function SourceRow({ source, mayChange, refresh }: SourceRowProps) {
  const { id, name, state, reason, bytes, pagesRead, pageCount, partCount, kind } = source;
  const again = useMutation({ mutationFn: () => call(knowledgeEndpoints.readAgain, { params: { id } }), onSuccess: refresh });
  const remove = () =>
    confirmAction({
      title: `Remove ${name}`,
      children: "Its text is deleted. Pages that cite it become stale.",
      action: "Remove source",
      onConfirm: async () => {
        await call(knowledgeEndpoints.removeSource, { params: { id } });
        await refresh();
      },
    });
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        {partCount > 0 ? (
          <Link className={rows.link} href={sourceAddress(id)}>
            <RevealedText text={name} />
          </Link>
        ) : (
          <RevealedText text={name} />
        )}
        {state === "processing" && pageCount ? (
          <Progress value={((pagesRead ?? 0) / pageCount) * 100} size="sm" aria-label={`${name} is being read`} />
        ) : null}
        {reason ? (
          <p className={`${classes.reason} ${shared.subline}`} data-state={state}>
            <RevealedText text={reason} />
          </p>
        ) : null}
      </div>
      <div className={classes.aside}>
        <span>{[progressWords(source), formatBytes(bytes)].filter(Boolean).join(" · ")}</span>
        <StatusBadge tone={stateTones[state]}>{kind === "archive" && state === "completed" ? "Unpacked" : stateWords[state]}</StatusBadge>
        {mayChange ? (
          <span className={shared.aboveLink}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Read ${name} again`}
              loading={again.isPending}
              onClick={() => again.mutate()}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={() => void remove()}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </span>
        ) : null}
      </div>
    </li>
  );
}
