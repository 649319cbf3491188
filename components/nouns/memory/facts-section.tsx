"use client";

import { Button } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { MemoryOwnerCount } from "@/contracts/memory/memory";
import type { MemoryFact } from "@/contracts/memory/memory-facts";
import classes from "./memory.module.css";
import { placeWord } from "./owner-words";
import { memoryQueries, type Shown } from "./queries";
import { useChangeMemory } from "./use-change-memory";

type SectionProps = { shown: Shown; owners: readonly MemoryOwnerCount[] };

/** Contradictions for a person to settle, then facts to confirm, then confirmed ones. */
export function FactsSection({ shown, owners }: SectionProps) {
  const facts = useQuery(memoryQueries.facts(shown));
  const contradictions = useQuery(memoryQueries.contradictions(shown));
  const open = contradictions.data?.items ?? [];
  return (
    <Loaded query={facts} what="the facts" rows={4} height={3.5}>
      {(found) => {
        const plain = found.filter(({ isContradicted }) => !isContradicted);
        const lists = [
          { title: "To confirm", facts: plain.filter(({ confirmedAt }) => confirmedAt === null) },
          { title: "Confirmed", facts: plain.filter(({ confirmedAt }) => confirmedAt !== null) },
        ];
        if (found.length === 0) {
          return (
            <EmptyState icon={IconBulb} title="No facts yet">
              Facts come from the agent and from extraction after conversations. You confirm them, or forget them.
            </EmptyState>
          );
        }
        return (
          <>
            {open.map(({ subject, facts: rivals }) => (
              <section key={rivals[0]?.id} aria-label={`Contradiction: ${subject}`}>
                <h2 className={shared.partTitle}>
                  Contradiction: <RevealedText text={subject} />
                </h2>
                <FactList facts={rivals} owners={owners} isContradiction />
              </section>
            ))}
            {lists.map(({ title, facts: listed }) =>
              listed.length === 0 ? null : (
                <section key={title} aria-label={title}>
                  <h2 className={shared.partTitle}>
                    <RevealedText text={title} />
                  </h2>
                  <FactList facts={listed} owners={owners} />
                </section>
              ),
            )}
          </>
        );
      }}
    </Loaded>
  );
}

type FactListProps = { facts: readonly MemoryFact[]; owners: readonly MemoryOwnerCount[]; isContradiction?: boolean };

function FactList({ facts, owners, isContradiction = false }: FactListProps) {
  const refusal = useRefusal("memory:write");
  const { confirmFact, settleFact, removeFact } = useChangeMemory();
  const keep = isContradiction ? settleFact : confirmFact;
  const keepWord = ({ confirmedAt }: MemoryFact) =>
    isContradiction ? "Keep this one" : confirmedAt === null ? "Confirm" : "Confirm again";
  return (
    <ul className={rows.rows}>
      {facts.map((fact) => (
        <li key={fact.id} className={`${rows.row} ${classes.item}`}>
          <div className={shared.fluid}>
            <p className={classes.text}>
              <RevealedText text={fact.statement} />
            </p>
            <div className={classes.about}>
              <span>
                <RevealedText text={fact.subject} />
              </span>
              <span>
                <RevealedText text={placeWord(fact, owners)} />
              </span>
              <span data-numeric>trust {Math.round(fact.trust * 100)} %</span>
              <span>
                by <RevealedText text={fact.author.name} />
                {fact.source ? (
                  <>
                    {" · "}
                    <RevealedText text={fact.source} />
                  </>
                ) : null}
              </span>
              <RelativeTime at={fact.updatedAt} />
              {fact.confirmedAt === null ? (
                <StatusBadge tone="ask" plain>
                  Unconfirmed
                </StatusBadge>
              ) : (
                <StatusBadge tone="allow" plain>
                  Confirmed
                </StatusBadge>
              )}
            </div>
          </div>
          <DisabledReason reason={refusal}>
            <span className={shared.tight}>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`${keepWord(fact)}: ${fact.statement}`}
                disabled={refusal !== null}
                loading={keep.isPending && keep.variables?.id === fact.id}
                onClick={() => keep.mutate(fact)}
              >
                {keepWord(fact)}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={`Forget ${fact.statement}`}
                disabled={refusal !== null}
                onClick={() => removeFact.mutate(fact)}
              >
                Forget
              </Button>
            </span>
          </DisabledReason>
        </li>
      ))}
    </ul>
  );
}
