"use client";

import { Switch } from "@mantine/core";
import { plainPreview } from "@/components/ui/plain-preview";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowLink } from "@/components/ui/row-link";
import rows from "@/components/ui/rows.module.css";
import type { DataSource } from "@/contracts/browser/data-sources";
import { kindWords, placeOf } from "./data-source-words";
import classes from "./data-sources.module.css";
import { useSwitchDataSource } from "./use-change-data-source";

/** A data source in the list; a press anywhere on the row opens its details. */
export function DataSourceRow({ source, onOpen }: { source: DataSource; onOpen: (id: string) => void }) {
  const change = useSwitchDataSource();
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <RowLink className={source.enabled ? classes.name : classes.nameOff} href={`?source=${source.id}`} onOpen={() => onOpen(source.id)}>
          <RevealedText text={source.name} />
        </RowLink>
        <p className={classes.place}>{placeOf(source)}</p>
        {source.description === "" ? null : (
          <p className={classes.description}>
            <RevealedText text={plainPreview(source.description)} />
          </p>
        )}
      </div>
      <span className={classes.kind}>{kindWords[source.kind]}</span>
      <div className={classes.switch}>
        <Switch
          aria-label={`${source.name} is on`}
          checked={source.enabled}
          onChange={(event) => change.mutate({ source, enabled: event.currentTarget.checked })}
        />
      </div>
    </li>
  );
}
