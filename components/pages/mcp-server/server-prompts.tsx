"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { plainPreview } from "@/components/kit/ui/text/plain-preview";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import type { McpPrompt } from "@/contracts/mcp/mcp-contents";
import { ContentsList } from "./contents-list";
import classes from "./mcp-servers.module.css";

/** The prompts that a server lists, with a search. */
export function ServerPrompts({ id }: { id: string }) {
  const [query, setQuery] = useState("");
  const listing = useInfiniteQuery(serverQueries.prompts(id, query));
  const items = listing.data?.pages.flatMap((page) => page.items);
  return (
    <ContentsList
      what="prompts"
      listing={listing}
      notes={listing.data?.pages[0]?.notes ?? []}
      count={items?.length}
      query={query}
      onSearch={setQuery}
    >
      {items?.map((prompt) => (
        <PromptRow key={prompt.name} prompt={prompt} />
      ))}
    </ContentsList>
  );
}

function PromptRow({ prompt }: { prompt: McpPrompt }) {
  const names = prompt.arguments.map(({ name, required }) => (required ? name : `${name}?`));
  return (
    <li className={classes.tool}>
      <div className={classes.toolHead}>
        <span className={`${classes.toolName} ${shared.mono}`}>
          <RevealedText text={`${prompt.name}(${names.join(", ")})`} />
        </span>
      </div>
      <span className={classes.toolWords}>
        <RevealedText
          text={plainPreview([prompt.title === prompt.name ? "" : prompt.title, prompt.description].filter(Boolean).join(": "))}
        />
      </span>
    </li>
  );
}
