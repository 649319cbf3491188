"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import type { McpResource } from "@/contracts/mcp/mcp-contents";
import { ContentsList } from "./contents-list";
import classes from "./mcp-servers.module.css";

/** The resources that a server lists, with a search. */
export function ServerResources({ id }: { id: string }) {
  const [query, setQuery] = useState("");
  const listing = useInfiniteQuery(serverQueries.resources(id, query));
  const items = listing.data?.pages.flatMap((page) => page.items);
  return (
    <ContentsList
      what="resources"
      listing={listing}
      notes={listing.data?.pages[0]?.notes ?? []}
      count={items?.length}
      query={query}
      onSearch={setQuery}
    >
      {items?.map((resource) => (
        <ResourceRow key={resource.uri} resource={resource} />
      ))}
    </ContentsList>
  );
}

function ResourceRow({ resource }: { resource: McpResource }) {
  const { uri, isTemplate, name, description, mimeType, size } = resource;
  const facts = [isTemplate ? "template" : null, mimeType, size === null ? null : `${size.toLocaleString("en")} bytes`].filter(Boolean);
  return (
    <li className={classes.tool}>
      <div className={classes.toolHead}>
        <span className={`${classes.toolName} ${shared.mono}`}>
          <RevealedText text={uri} />
        </span>
        <span className={shared.small}>
          <RevealedText text={facts.join(", ")} />
        </span>
      </div>
      <span className={classes.toolWords}>
        <RevealedText text={plainPreview([name, description].filter(Boolean).join(": "))} />
      </span>
    </li>
  );
}
