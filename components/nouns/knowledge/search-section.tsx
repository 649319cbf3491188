"use client";

import { IconSearchOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine } from "@/components/kit/ui/lists/switch-row";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { KnowledgeHit } from "@/contracts/knowledge/knowledge";
import classes from "./knowledge.module.css";
import { knowledgeQueries } from "./queries";
import { sourceAddress } from "./source-words";

/** Search over pages and sources, with why each hit fits. */
export function SearchSection({ baseId, onOpenPage }: { baseId: string; onOpenPage: (id: string) => void }) {
  const [query, setQuery] = useQueryState("q", parseAsString.withDefault(""));
  const hits = useQuery(knowledgeQueries.search(baseId, query));
  return (
    <>
      <SearchField
        label="Search the knowledge base"
        placeholder="Words to find"
        value={query}
        onChange={(text) => void setQuery(text || null)}
        className={classes.search}
      />
      {query.trim() === "" ? null : (
        <Loaded query={hits} what="the hits" rows={4} height={4}>
          {({ items, note }) => (
            <>
              {note === null ? null : (
                <p className={shared.note} role="status">
                  <RevealedText text={note} />
                </p>
              )}
              {items.length === 0 ? (
                <EmptyState icon={IconSearchOff} title="Nothing was found">
                  Try other words, or fewer.
                </EmptyState>
              ) : (
                <ul className={rows.rows} aria-label="Hits">
                  {items.map((hit) => (
                    <Hit key={`${hit.id}${hit.part}${hit.snippet}`} hit={hit} baseId={baseId} onOpenPage={onOpenPage} />
                  ))}
                </ul>
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

function Hit({ hit, baseId, onOpenPage }: { hit: KnowledgeHit; baseId: string; onOpenPage: (id: string) => void }) {
  const { kind, id, title, headings, part, page, snippet, matched, matchedBy } = hit;
  const href = kind === "page" ? `/knowledge/${baseId}?view=pages&page=${id}` : sourceAddress(id, part);
  const place = [...headings, ...(page === null ? [] : [`page ${page}`])].join(" › ");
  const why = matched.length > 0 ? `Has ${matched.join(", ")}` : matchedBy.includes("name") ? "Fits by its name" : "Its meaning is near";
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={shared.shrinks}>
        <Link
          className={`${rows.link} ${shared.strong}`}
          href={href}
          onClick={(event) => {
            if (kind !== "page") return;
            event.preventDefault();
            onOpenPage(id);
          }}
        >
          <RevealedText text={title} />
        </Link>
        {place ? <RowLine text={place} /> : null}
        <RowLine text={snippet} />
      </div>
      <div className={classes.aside}>
        <RevealedText text={`${why} (${matchedBy.join(", ")})`} />
      </div>
    </li>
  );
}
