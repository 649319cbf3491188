import { VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "../shared.module.css";
import { RelativeTime } from "../text/relative-time";
import { RevealedText } from "../text/revealed-text";
import rows from "./rows.module.css";
import classes from "./version-list.module.css";

type Version = { version: number; summary: string; actor: { name: string }; createdAt: string };

type VersionListProps<V extends Version> = {
  label: string;
  versions: readonly V[];
  /** Number of the version in use. */
  current: number;
  /** Why the person may not restore a version; null when they may. */
  refusal: string | null;
  onRestore: (version: V) => void;
  /** Changes that a version made; drawn once they are unfolded. */
  changesOf: (version: V) => ReactNode;
  /** Words behind the time of a version. */
  noteOf?: (version: V) => string;
};

/** Versions, newest first, each with its changes and a button to restore it. */
export function VersionList<V extends Version>({ label, versions, current, refusal, onRestore, changesOf, noteOf }: VersionListProps<V>) {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <ol className={rows.rows} aria-label={label}>
      {versions.map((version) => {
        const number = version.version;
        const isOpen = open === number;
        return (
          <li
            key={number}
            className={`${rows.row} ${classes.version}`}
            data-unfolded={isOpen || undefined}
            aria-current={number === current || undefined}
          >
            <span className={classes.number}>{number}</span>
            <span className={shared.lines}>
              <span className={`${shared.medium} ${shared.wraps}`}>
                <RevealedText text={version.summary} />
              </span>
              <span className={shared.small}>
                <RevealedText text={version.actor.name} /> <RelativeTime at={version.createdAt} />
                {noteOf ? ` · ${noteOf(version)}` : null}
              </span>
              <FoldButton
                isOpen={isOpen}
                onToggle={() => setOpen(isOpen ? null : number)}
                className={classes.unfold}
                size="compact-xs"
                rightSection={isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
              >
                Changes<VisuallyHidden component="span"> in version {number}</VisuallyHidden>
              </FoldButton>
              {isOpen ? changesOf(version) : null}
            </span>
            {number === current ? (
              <span className={shared.small}>In use</span>
            ) : (
              <RefusableButton refusal={refusal} variant="default" size="compact-sm" onClick={() => onRestore(version)}>
                Restore<VisuallyHidden component="span"> version {number}</VisuallyHidden>
              </RefusableButton>
            )}
          </li>
        );
      })}
    </ol>
  );
}
