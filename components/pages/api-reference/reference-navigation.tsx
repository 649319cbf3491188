"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./api-reference.module.css";

/** A noun of the reference with its links. */
export type NavigationGroup = {
  id: string;
  name: string;
  entries: { id: string; method: string; path: string; summary: string }[];
};

/** Links to everything on the page, and a search that hides other entries here and on the page. */
export function ReferenceNavigation({ groups }: { groups: NavigationGroup[] }) {
  const [query, setQuery] = useState("");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (group: NavigationGroup, entry: NavigationGroup["entries"][number]) => {
    const text = `${group.name} ${entry.method} ${entry.path} ${entry.summary} ${entry.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = groups.map((group) => ({ ...group, entries: group.entries.filter((entry) => matches(group, entry)) }));
  const shown = new Set(found.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const hidden = groups.flatMap((group) => {
    const away = group.entries.map(({ id }) => id).filter((id) => !shown.has(id));
    return away.length === group.entries.length ? [group.id, ...away] : away;
  });

  return (
    <nav aria-label="API reference" className={classes.navigation}>
      <TextInput
        type="search"
        size="sm"
        aria-label="Search the reference"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <p className={classes.count} role="status">
        {words.length === 0 ? null : shown.size === 1 ? "1 endpoint" : `${shown.size} endpoints`}
      </p>
      {hidden.length > 0 ? <style>{`${hidden.map((id) => `#${id}`).join(",")}{display:none}`}</style> : null}
      {found.map(({ id, name, entries }) =>
        entries.length > 0 ? (
          <section key={id} className={shared.above}>
            <a href={`#${id}`} className={classes.groupName}>
              <RevealedText text={name} />
            </a>
            <ul className={shared.plainList}>
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={`#${entry.id}`} className={classes.entry} title={spellHidden(entry.summary)}>
                    <span className={classes.entryMethod}>{entry.method}</span>
                    <span className={shared.fluid}>
                      <RevealedText text={entry.path.replace("/api/v1", "")} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ) : null,
      )}
      <section className={shared.above}>
        <a href="#schemas" className={classes.groupName}>
          Schemas
        </a>
      </section>
    </nav>
  );
}
