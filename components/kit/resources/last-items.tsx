"use client";

import type { ReactNode } from "react";
import { Part } from "@/components/kit/ui/page/part";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded, type LoadedQuery } from "@/components/kit/ui/states/loaded";

type LastItemsProps<Item> = {
  heading: string;
  query: LoadedQuery<{ items: readonly Item[] }>;
  /** Names the items in sentences about loading them. */
  what: string;
  /** Sentence in place of an empty list. */
  nothing: string;
  item: (item: Item) => ReactNode;
};

/** The last things that happened to a resource, as a part of its drawer; each item is an `li`. */
export function LastItems<Item>({ heading, query, what, nothing, item }: LastItemsProps<Item>) {
  return (
    <Part heading={heading}>
      <Loaded query={query} what={what} rows={3} height={2.25}>
        {({ items }) =>
          items.length === 0 ? <p className={shared.note}>{nothing}</p> : <ul className={shared.stack}>{items.map(item)}</ul>
        }
      </Loaded>
    </Part>
  );
}
