import type { ReactNode } from "react";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { LoadMore, type NextPage } from "@/components/kit/ui/lists/load-more";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./mcp-servers.module.css";

type ContentsListProps = {
  /** "resources" or "prompts". */
  what: string;
  listing: NextPage & { error: Error | null; refetch: () => unknown };
  /** Reasons why entries may be missing. */
  notes: readonly string[];
  /** Number of loaded entries; undefined before the first page. */
  count: number | undefined;
  query: string;
  onSearch: (query: string) => void;
  /** A row per loaded entry. */
  children: ReactNode;
};

/** A searched and paged list of what a server offers beside its tools. */
export function ContentsList({ what, listing, notes, count, query, onSearch, children }: ContentsListProps) {
  return (
    <section className={shared.stackClose} aria-label={what}>
      <SearchField label={`Search ${what}`} placeholder={`Search ${what}`} value={query} onChange={onSearch} className={classes.search} />
      {notes.map((note) => (
        <p key={note} className={shared.hint}>
          <RevealedText text={note} />
        </p>
      ))}
      {listing.error ? (
        <ErrorState error={listing.error} what={`the ${what}`} retry={() => void listing.refetch()} />
      ) : count === undefined ? (
        <RowSkeletons rows={3} height={3} what={`the ${what}`} />
      ) : count === 0 ? (
        <p className={shared.hint}>{query === "" ? `This server lists no ${what}.` : `No ${what} match.`}</p>
      ) : (
        <ul className={shared.plainList}>{children}</ul>
      )}
      <LoadMore query={listing} what={what} />
    </section>
  );
}
