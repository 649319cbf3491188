"use client";

import { Button, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconEraser, IconSearch } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type MemoryForgotten, memoryUpkeepEndpoints } from "@/contracts/browser/memory/memory-upkeep";
import type { MemoryOwnerCount } from "@/contracts/memory/memory";
import classes from "./memory.module.css";
import { placeWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";

const kindWords = { file: "File", entry: "Entry", fact: "Fact" } as const;

/** Search over all that is remembered, with the words that matched, and forgetting everywhere. */
export function SearchSection({ shown, owners }: { shown: Shown; owners: readonly MemoryOwnerCount[] }) {
  const client = useQueryClient();
  const [query, setQuery] = useState("");
  const found = useQuery(memoryQueries.search(shown, query));
  const refusal = useRefusal("memory:write");
  const forget = async (text: string | null) => {
    const body = { ownerKey: shown.ownerKey || null, text };
    const params = { id: shown.agentId };
    const seen = await call(memoryUpkeepEndpoints.forget, { params, body: { ...body, apply: false } });
    await confirmAction({
      title: text === null ? "Forget this owner?" : `Forget "${text}" everywhere?`,
      children: <Forgetting seen={seen} />,
      action: "Forget everywhere",
      word: "forget",
      onConfirm: async () => {
        await call(memoryUpkeepEndpoints.forget, { params, body: { ...body, apply: true } });
        notifications.show({ message: "Forgotten in files, versions, entries and facts" });
        await client.invalidateQueries({ queryKey: memoryQueries.all() });
      },
    });
  };
  return (
    <>
      <div className={shared.bar}>
        <SearchField
          label="Search the memory"
          placeholder="Words that the agent remembers"
          value={query}
          onChange={setQuery}
          className={shared.field}
        />
        <DisabledReason reason={refusal ?? (query.length < 3 ? "Type at least 3 characters to say what to forget." : null)}>
          <Button
            variant="default"
            leftSection={<IconEraser size={16} aria-hidden />}
            disabled={refusal !== null || query.length < 3}
            onClick={() => void forget(query)}
          >
            Forget everywhere
          </Button>
        </DisabledReason>
        {shown.ownerKey ? (
          <RefusableButton refusal={refusal} variant="default" onClick={() => void forget(null)}>
            Forget this owner
          </RefusableButton>
        ) : null}
      </div>
      {query === "" ? (
        <p className={shared.note}>Hits say where something is remembered, for whom, and which words matched.</p>
      ) : (
        <Loaded query={found} what="the hits" rows={4} height={3}>
          {({ items, note }) =>
            items.length === 0 ? (
              <EmptyState icon={IconSearch} title="Nothing found">
                Nothing that is remembered has these words. Try fewer words, or another owner. {note ? <RevealedText text={note} /> : null}
              </EmptyState>
            ) : (
              <>
                {note ? (
                  <p className={shared.note}>
                    <RevealedText text={note} />
                  </p>
                ) : null}
                <ul className={rows.rows} aria-label="Hits">
                  {items.map(({ kind, id, source, text, words, matchedBy, ...place }) => (
                    <li key={`${id} ${source}`} className={`${rows.row} ${classes.item}`}>
                      <div className={shared.fluid}>
                        <strong>
                          <RevealedText text={source} />
                        </strong>
                        <p className={classes.text}>
                          <RevealedText text={text} />
                        </p>
                        <div className={classes.about}>
                          <span>{kindWords[kind]}</span>
                          <span>
                            <RevealedText text={placeWord(place, owners)} />
                          </span>
                          <span>
                            matched {matchedBy.includes("meaning") ? <span className={classes.word}>by meaning</span> : null}
                            {words.map((word) => (
                              <span key={word} className={classes.word}>
                                <RevealedText text={word} />
                              </span>
                            ))}
                          </span>
                          <span data-numeric>score {place.score}</span>
                        </div>
                      </div>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      )}
    </>
  );
}

function Forgetting({ seen: { files, entries, facts } }: { seen: MemoryForgotten }) {
  if (files.length + entries.length + facts.length === 0)
    return <p className={shared.flush}>Nothing that is remembered holds this text.</p>;
  return (
    <Stack gap="xs">
      <div>This cannot be undone. What goes:</div>
      <ul className={shared.flush}>
        {files.map(({ id, filename, lines, versions }) => (
          <li key={id}>
            <RevealedText text={`${filename}: ${lines.join(" / ").slice(0, 300) || "earlier versions only"}`} />
            {versions > 0 ? ` (and ${versions} earlier ${versions === 1 ? "version" : "versions"})` : null}
          </li>
        ))}
        {entries.map(({ id, source, content }) => (
          <li key={id}>
            <RevealedText text={`${source}: ${content.slice(0, 200)}`} />
          </li>
        ))}
        {facts.map(({ id, statement }) => (
          <li key={id}>
            <RevealedText text={statement} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}
