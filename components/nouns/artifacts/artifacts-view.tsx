"use client";

import { Anchor, Button, Select } from "@mantine/core";
import { IconFile, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ArtifactLink } from "@/components/nouns/calls/call-files";
import { type Artifact, artifactKinds } from "@/contracts/browser/turns/artifacts";
import classes from "./artifacts.module.css";
import { OneTimeLink } from "./one-time-link";
import { artifactQueries } from "./queries";
import { artifactSearch, toArtifactFilter } from "./search-params";

const kindWords = { text: "Texts", image: "Images", other: "Other files" } as const;

/** The artifacts of all conversations, newest first, each with its download. */
export function ArtifactsView() {
  const [search, setSearch] = useQueryStates(artifactSearch);
  const filter = toArtifactFilter(search);
  const list = useInfiniteQuery(artifactQueries.list(filter));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <search className={shared.filters} aria-label="Filter the artifacts">
        <SearchField
          className={classes.search}
          label="Name of the artifact"
          placeholder="Name"
          value={search.query ?? ""}
          onChange={(query) => void setSearch({ query: query || null })}
        />
        <Select
          className={classes.kind}
          aria-label="Kind"
          placeholder="Every kind"
          data={artifactKinds.map((value) => ({ value, label: kindWords[value] }))}
          value={search.kind}
          onChange={(value) => void setSearch({ kind: artifactKinds.find((kind) => kind === value) ?? null })}
          clearable
          clearButtonProps={{ "aria-label": "Every kind" }}
        />
        {search.conversation ? (
          <Button variant="default" rightSection={<IconX size={14} aria-hidden />} onClick={() => void setSearch({ conversation: null })}>
            One conversation only
          </Button>
        ) : null}
      </search>
      <PagedList
        query={list}
        items="artifacts"
        skeletons={{ rows: 8, height: 3.25 }}
        empty={
          <EmptyState icon={IconFile} title={isFiltered ? "No matching artifacts" : "No artifacts yet"}>
            {isFiltered ? "Clear a filter to see more." : "Files that calls produce appear here, and results too long for the model."}
          </EmptyState>
        }
      >
        {(items) => (
          <ul className={rows.rows} aria-label="Artifacts">
            {items.map((artifact) => (
              <ArtifactRow key={artifact.id} artifact={artifact} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function ArtifactRow({ artifact }: { artifact: Artifact }) {
  const { id, name, mediaType, bytes, tool, turnId, conversationId, createdAt } = artifact;
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <ArtifactLink id={id}>
          <RevealedText text={name} />
        </ArtifactLink>
        <p className={`${classes.told} ${shared.small}`}>
          {mediaType}, <span data-numeric>{formatBytes(bytes)}</span>
        </p>
      </div>
      <div className={shared.lines}>
        {tool ? <CodeText>{tool}</CodeText> : null}
        <span className={classes.links}>
          {turnId ? (
            <Anchor component={Link} href={`/turns/${turnId}`} size="sm">
              Turn
            </Anchor>
          ) : null}
          <OneTimeLink id={id} name={name} />
          <Anchor component={Link} href={`/turns/artifacts?conversation=${conversationId}`} size="sm">
            Its conversation
          </Anchor>
        </span>
      </div>
      <span className={`${classes.when} ${shared.small}`}>
        <RelativeTime at={createdAt} />
      </span>
    </li>
  );
}
