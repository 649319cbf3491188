"use client";

import { Anchor, Select } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type Hook, type HookOutcome, type HookRun, type HookRunFilter, hookOutcomes } from "@/contracts/browser/hooks/hooks";
import { ChangeList } from "./change-list";
import { eventWords, outcomeWords } from "./hook-words";
import classes from "./hooks.module.css";
import { hookQueries } from "./queries";

type HookRunsProps = {
  hooks: readonly Hook[];
  filter: HookRunFilter;
  onFilter: (filter: { of?: string | null; outcome?: HookOutcome | null }) => void;
};

const noRuns = (
  <EmptyState icon={IconWebhook} title="No runs">
    Every run of a hook is kept here for two weeks.
  </EmptyState>
);

/** The runs of hooks, newest first. */
export function HookRuns({ hooks, filter, onFilter }: HookRunsProps) {
  const runs = useInfiniteQuery(hookQueries.runs(filter));
  return (
    <section aria-label="Runs">
      <div className={`${shared.above} ${shared.bar}`}>
        <Select
          aria-label="Hook"
          placeholder="Every hook"
          className={shared.filter}
          data={nameChoices(hooks)}
          value={filter.hookId ?? null}
          onChange={(of) => onFilter({ of })}
          clearable
        />
        <Select
          aria-label="Outcome"
          placeholder="Every outcome"
          className={shared.filter}
          data={hookOutcomes.map((outcome) => ({ value: outcome, label: outcomeWords[outcome].word }))}
          value={filter.outcome ?? null}
          onChange={(outcome) => onFilter({ outcome: hookOutcomes.find((known) => known === outcome) ?? null })}
          clearable
        />
      </div>
      <PagedList query={runs} items="runs" skeletons={{ rows: 4, height: 4 }} empty={noRuns}>
        {(items) => (
          <ol className={rows.rows} aria-label="Runs, newest first">
            {items.map((run) => (
              <Run key={run.id} run={run} />
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  );
}

function Run({ run }: { run: HookRun }) {
  const { tone, word } = outcomeWords[run.outcome];
  return (
    <li className={`${rows.row} ${classes.run}`}>
      <p className={`${shared.flush} ${shared.inline}`}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <strong className={`${shared.medium} ${shared.wraps}`}>
          <RevealedText text={run.name} />
        </strong>
        <span className={shared.dim}>{eventWords[run.event].label}</span>
        {run.tool ? <CodeText>{run.tool}</CodeText> : null}
        <span className={shared.dim}>
          <RevealedText text={run.agent} />
        </span>
        <span className={classes.runWhen}>
          <span data-numeric>{run.durationMs < 1 ? "<1 ms" : `${Math.round(run.durationMs).toLocaleString("en")} ms`}</span>
          <RelativeTime at={run.at} />
          {run.turnId ? (
            <Anchor component={Link} href={`/turns/${run.turnId}`} size="xs">
              Turn
            </Anchor>
          ) : null}
        </span>
      </p>
      {run.message ? (
        <p className={`${shared.small} ${shared.wrapping}`}>
          <RevealedText text={run.message} />
        </p>
      ) : null}
      <ChangeList changes={run.changes} />
    </li>
  );
}
