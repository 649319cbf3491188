"use client";

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import type { KnowledgePageContent } from "@/contracts/knowledge/knowledge-pages";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";

type VersionsOfPageProps = { baseId: string; page: KnowledgePageContent; refresh: () => Promise<unknown> };

/** Earlier contents of a page, each of which can become the newest. */
export function VersionsOfPage({ baseId, page: { id, version: newest }, refresh }: VersionsOfPageProps) {
  const list = useQuery(knowledgeQueries.versions(baseId, id));
  const restore = useMutation({
    mutationFn: (version: number) => call(knowledgeEndpoints.restorePageVersion, { params: { id, version } }, { version: newest }),
    onSuccess: refresh,
  });
  return (
    <Loaded query={list} what="the versions" rows={3} height={4}>
      {({ items }) => (
        <ul className={rows.rows} aria-label="Versions">
          {items.map(({ version, content, author, createdAt }) => (
            <li key={version} className={`${rows.row} ${classes.row}`}>
              <div className={shared.shrinks}>
                Version {version}, <RelativeTime at={createdAt} />, <RevealedText text={author.name} />
                <pre className={`${classes.text} ${shared.surface}`}>
                  <RevealedText text={content} />
                </pre>
              </div>
              {version === newest ? null : (
                <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate(version)}>
                  Restore version {version}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
