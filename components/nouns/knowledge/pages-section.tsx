"use client";

import { Button, Group, NavLink, SegmentedControl } from "@mantine/core";
import { IconFilePlus, IconNotes } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./knowledge.module.css";
import { PageReader } from "./page-reader";
import { knowledgeQueries, type PageFilter } from "./queries";

const PageEditor = dynamic(() => import("./page-editor").then((file) => file.PageEditor), {
  ssr: false,
  loading: () => <RowSkeletons rows={4} height={4} what="the editor" />,
});

const filters: { value: PageFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "stale", label: "Stale" },
  { value: "broken", label: "Broken links" },
  { value: "archived", label: "Archived" },
];
const emptyWords: Record<PageFilter, string> = {
  all: "Write one, or let an agent write pages from the sources.",
  stale: "No page cites a source that has changed since.",
  broken: "Every link leads to a page.",
  archived: "No page is archived.",
};

type PagesSectionProps = { baseId: string; pageId: string | null; onOpen: (id: string | null) => void };

/** Pages of a base beside the one that is read or edited. */
export function PagesSection({ baseId, pageId, onOpen }: PagesSectionProps) {
  const client = useQueryClient();
  const [filter, setFilter] = useState<PageFilter>("all");
  const [isNew, setNew] = useState(false);
  const list = useInfiniteQuery(knowledgeQueries.pages(baseId, filter));
  const refusal = useRefusal("knowledge:write");
  const refresh = () => client.invalidateQueries({ queryKey: knowledgeQueries.of(baseId) });
  const saved = async (id: string) => {
    setNew(false);
    await refresh();
    onOpen(id);
  };
  return (
    <div className={classes.columns}>
      <div>
        <Group justify="space-between" mb="sm">
          <SegmentedControl
            size="xs"
            aria-label="Pages to list"
            data={filters}
            value={filter}
            onChange={(value) => setFilter(value as PageFilter)}
          />
          {refusal === null ? (
            <Button size="compact-sm" leftSection={<IconFilePlus size={14} aria-hidden />} onClick={() => setNew(true)}>
              New page
            </Button>
          ) : null}
        </Group>
        <SystemPages baseId={baseId} pageId={pageId} onOpen={onOpen} />
        <PagedList
          query={list}
          items="pages"
          skeletons={{ rows: 5, height: 2 }}
          empty={
            <EmptyState icon={IconNotes} title="No pages">
              {emptyWords[filter]}
            </EmptyState>
          }
        >
          {(items) => (
            <nav aria-label="Pages of the knowledge base">
              {items.map(({ id, title, summary, staleReason }) => (
                <NavLink
                  key={id}
                  component="button"
                  active={id === pageId}
                  label={<RevealedText text={title} />}
                  description={<RevealedText text={staleReason ?? summary} />}
                  onClick={() => {
                    setNew(false);
                    onOpen(id);
                  }}
                />
              ))}
            </nav>
          )}
        </PagedList>
      </div>
      <div className={shared.shrinks}>
        {isNew ? (
          <PageEditor baseId={baseId} page={null} onSaved={saved} onCancel={() => setNew(false)} />
        ) : pageId ? (
          <PageReader key={pageId} baseId={baseId} pageId={pageId} mayChange={refusal === null} refresh={refresh} onOpen={onOpen} />
        ) : (
          <EmptyState icon={IconNotes} title="No page chosen">
            Choose a page to read it with its sources and backlinks.
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** The two pages that the base keeps itself. */
function SystemPages({ baseId, pageId, onOpen }: PagesSectionProps) {
  const overview = useQuery(knowledgeQueries.systemPage(baseId, "overview"));
  const log = useQuery(knowledgeQueries.systemPage(baseId, "log"));
  const found = [overview, log].flatMap(({ data }) => data?.items ?? []);
  if (found.length === 0) return null;
  return (
    <Group gap="xs" mb="sm">
      {found.map(({ id, title }) => (
        <Button
          key={id}
          size="compact-sm"
          variant={id === pageId ? "light" : "subtle"}
          aria-pressed={id === pageId}
          onClick={() => onOpen(id)}
        >
          <RevealedText text={title} />
        </Button>
      ))}
    </Group>
  );
}
