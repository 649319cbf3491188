"use client";

import { Anchor, Button, Group, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import type { KnowledgePageContent } from "@/contracts/knowledge/knowledge-pages";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { readableContent } from "./readable-content";
import { sourceAddress } from "./source-words";

const PageEditor = dynamic(() => import("./page-editor").then((file) => file.PageEditor), {
  ssr: false,
  loading: () => <RowSkeletons rows={4} height={4} what="the editor" />,
});
const VersionsOfPage = dynamic(() => import("./page-versions").then((file) => file.VersionsOfPage), { ssr: false });

type PageReaderProps = {
  baseId: string;
  pageId: string;
  mayChange: boolean;
  refresh: () => Promise<unknown>;
  onOpen: (id: string | null) => void;
};

/** A page with its citations and backlinks, or its editor. */
export function PageReader({ baseId, pageId, mayChange, refresh, onOpen }: PageReaderProps) {
  const query = useQuery(knowledgeQueries.page(baseId, pageId));
  const [mode, setMode] = useState<"read" | "edit" | "versions">("read");
  return (
    <Loaded query={query} what="the page" rows={4} height={4}>
      {(page) =>
        mode === "edit" ? (
          <PageEditor
            baseId={baseId}
            page={page}
            onSaved={async () => {
              await refresh();
              setMode("read");
            }}
            onCancel={() => setMode("read")}
          />
        ) : (
          <article aria-label={page.title}>
            <h2 className={shared.heading}>
              <RevealedText text={page.title} />
            </h2>
            <PageState page={page} />
            {mayChange ? <PageActions page={page} refresh={refresh} onOpen={onOpen} mode={mode} onMode={setMode} /> : null}
            {mode === "versions" ? (
              <VersionsOfPage baseId={baseId} page={page} refresh={refresh} />
            ) : (
              <Content page={page} onOpen={onOpen} />
            )}
          </article>
        )
      }
    </Loaded>
  );
}

function PageState({ page: { archived, staleReason, curated, brokenLinks } }: { page: KnowledgePageContent }) {
  return (
    <Group gap="xs" my="xs">
      {archived ? <StatusBadge tone="unavailable">Archived</StatusBadge> : null}
      {staleReason ? <StatusBadge tone="ask">{spellHidden(`Stale: ${staleReason}`)}</StatusBadge> : null}
      {brokenLinks > 0 ? <StatusBadge tone="deny">{`${brokenLinks} broken link${brokenLinks === 1 ? "" : "s"}`}</StatusBadge> : null}
      {curated ? <StatusBadge tone="allow">Curated</StatusBadge> : null}
    </Group>
  );
}

type PageActionsProps = {
  page: KnowledgePageContent;
  refresh: () => Promise<unknown>;
  onOpen: (id: string | null) => void;
  mode: "read" | "edit" | "versions";
  onMode: (mode: "read" | "edit" | "versions") => void;
};

function PageActions({ page, refresh, onOpen, mode, onMode }: PageActionsProps) {
  const { id, title, slug, archived, version, isSystem } = page;
  const [renaming, setRenaming] = useState<string | null>(null);
  const archiving = useMutation({
    mutationFn: () => call(archived ? knowledgeEndpoints.restorePage : knowledgeEndpoints.archivePage, { params: { id } }),
    onSuccess: refresh,
  });
  const rename = useMutation({
    meta: { showsError: true },
    mutationFn: (to: string) => call(knowledgeEndpoints.renamePage, { params: { id }, body: { slug: to } }, { version }),
    onSuccess: async () => {
      setRenaming(null);
      await refresh();
    },
  });
  const remove = () =>
    confirmAction({
      title: `Remove ${title}`,
      children: "The page is deleted with its versions. Links of other pages become words.",
      action: "Remove page",
      onConfirm: async () => {
        await call(knowledgeEndpoints.removePage, { params: { id } }, { version });
        onOpen(null);
        await refresh();
      },
    });
  return (
    <>
      <Group gap="xs" mb="sm">
        {isSystem && slug === "log" ? null : (
          <Button size="compact-sm" onClick={() => onMode("edit")}>
            Edit
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => onMode(mode === "versions" ? "read" : "versions")}>
          {mode === "versions" ? "Text" : "Versions"}
        </Button>
        {isSystem ? null : (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setRenaming(slug)}>
              Rename
            </Button>
            <Button size="compact-sm" variant="default" loading={archiving.isPending} onClick={() => archiving.mutate()}>
              {archived ? "Restore" : "Archive"}
            </Button>
            <Button size="compact-sm" variant="default" color="red" onClick={() => void remove()}>
              Remove
            </Button>
          </>
        )}
      </Group>
      {renaming === null ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate(renaming.trim());
          }}
        >
          <Group gap="xs" align="flex-start" mb="sm">
            <TextInput
              aria-label="New slug"
              value={renaming}
              error={rename.error ? toErrorSentence(rename.error) : null}
              onChange={(event) => setRenaming(event.currentTarget.value)}
            />
            <Button type="submit" loading={rename.isPending}>
              Save slug
            </Button>
            <Button variant="default" onClick={() => setRenaming(null)}>
              Cancel
            </Button>
          </Group>
        </form>
      )}
    </>
  );
}

function Content({ page, onOpen }: { page: KnowledgePageContent; onOpen: (id: string | null) => void }) {
  const { citations, backlinks, slug, type, layer, version, lastUpdatedBy, updatedAt } = page;
  return (
    <>
      <AnswerText text={readableContent(page)} />
      {citations.length > 0 ? (
        <section className={shared.apart} aria-labelledby="citations-heading">
          <h3 className={shared.subtitle} id="citations-heading">
            Sources
          </h3>
          <ul className={classes.links}>
            {citations.map(({ number, name, sourceId, part, page }) => {
              const words = `[${number}] ${name || "not defined"}${page === null ? "" : `, page ${page}`}`;
              return (
                <li key={number}>
                  {sourceId ? (
                    <Anchor component={Link} href={sourceAddress(sourceId, part)} size="sm" underline="always">
                      <RevealedText text={words} />
                    </Anchor>
                  ) : (
                    <span className={shared.dim}>
                      <RevealedText text={`${words} (not in the base)`} />
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ) : null}
      <section className={shared.apart} aria-labelledby="backlinks-heading">
        <h3 className={shared.subtitle} id="backlinks-heading">
          Backlinks
        </h3>
        {backlinks.length === 0 ? (
          <p className={shared.note}>No page links here.</p>
        ) : (
          <ul className={classes.links}>
            {backlinks.map(({ id, title }) => (
              <li key={id}>
                <Button size="compact-sm" variant="default" onClick={() => onOpen(id)}>
                  <RevealedText text={title} />
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className={shared.apart} aria-label="About the page">
        <Facts
          facts={[
            ["Slug", slug],
            ["Type", layer === "experience" ? `${type}, experience` : type],
            ["Version", String(version)],
            ["Last change", <RelativeTime key="change" at={updatedAt} />],
            ["By", lastUpdatedBy.name],
          ]}
        />
      </section>
    </>
  );
}
