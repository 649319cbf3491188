"use client";

import { Button, Tabs } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { PagesSection } from "./pages-section";
import { knowledgeQueries } from "./queries";
import { SearchSection } from "./search-section";
import { SourcesSection } from "./sources-section";

const views = ["sources", "pages", "search", "graph", "transformations"] as const;
const words: Record<(typeof views)[number], string> = {
  sources: "Sources",
  pages: "Pages",
  search: "Search",
  graph: "Graph",
  transformations: "Transformations",
};
// The library that draws it is large, so it is loaded on this view only.
const GraphSection = dynamic(() => import("./graph-section").then((file) => file.GraphSection), {
  ssr: false,
  loading: () => <RowSkeletons rows={4} height={6} what="the graph" />,
});

const TransformationsSection = dynamic(() => import("./transformations-section").then((file) => file.TransformationsSection), {
  ssr: false,
  loading: () => <RowSkeletons rows={3} height={4} what="the transformations" />,
});

/** One knowledge base: its sources and pages. */
export function BaseView({ id }: { id: string }) {
  const base = useQuery(knowledgeQueries.base(id));
  const [{ view, page }, setShown] = useQueryStates(
    { view: parseAsStringLiteral(views).withDefault("sources"), page: parseAsString },
    { history: "push" },
  );
  const openPage = (pageId: string | null) => void setShown({ view: "pages", page: pageId });
  return (
    <Loaded query={base} what="the knowledge base" rows={4} height={4}>
      {({ name, description }) => (
        <>
          <PageHeader title={name} description={description}>
            <Button
              component={Link}
              href={`/knowledge?settings=${id}`}
              variant="default"
              leftSection={<IconSettings size={16} aria-hidden />}
            >
              Settings
            </Button>
          </PageHeader>
          <Tabs
            value={view}
            keepMounted={false}
            onChange={(chosen) => void setShown({ view: views.find((one) => one === chosen) ?? "sources", page: null })}
          >
            <Tabs.List mb="md">
              {views.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {words[one]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="sources">
              <SourcesSection baseId={id} />
            </Tabs.Panel>
            <Tabs.Panel value="pages">
              <PagesSection baseId={id} pageId={page} onOpen={openPage} />
            </Tabs.Panel>
            <Tabs.Panel value="search">
              <SearchSection baseId={id} onOpenPage={openPage} />
            </Tabs.Panel>
            <Tabs.Panel value="graph">
              <GraphSection baseId={id} onOpen={openPage} />
            </Tabs.Panel>
            <Tabs.Panel value="transformations">
              <TransformationsSection baseId={id} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Loaded>
  );
}
