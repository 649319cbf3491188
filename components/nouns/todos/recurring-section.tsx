"use client";

import { useQuery } from "@tanstack/react-query";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { RecurringTodo } from "@/contracts/conversations/todos";
import { todoQueries } from "./queries";
import classes from "./todos.module.css";
import { useChangeTodos } from "./use-change-todos";

/** To-dos that come again and again; nothing while there is none. */
export function RecurringSection() {
  const { data, error, refetch, isRefetching } = useQuery(todoQueries.recurring());
  const refusal = useRefusal("todos:write");
  const { endRecurring } = useChangeTodos();
  if (!data && error) return <ErrorState error={error} what="the recurring to-dos" retry={() => void refetch()} retrying={isRefetching} />;
  if (!data || data.items.length === 0) return null;
  return (
    <PageSection heading="Recurring">
      <ul className={rows.rows}>
        {data.items.map(({ id, content, every, timezone, nextAt, createdBy }) => (
          <li key={id} className={`${rows.row} ${classes.item} ${classes.bare}`}>
            <div className={shared.fluid}>
              <RevealedText text={content} />
              <div className={`${shared.inline} ${shared.small}`}>
                <span>{rhythmWords(every)}</span>
                <span>
                  next <RelativeTime at={nextAt} /> ({timezone})
                </span>
                <span>
                  added by <RevealedText text={createdBy.name} />
                </span>
              </div>
            </div>
            <RefusableButton
              refusal={refusal}
              variant="default"
              size="compact-sm"
              aria-label={`End ${content}`}
              onClick={() => endRecurring.mutate(id)}
            >
              End
            </RefusableButton>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

function rhythmWords({ count, unit }: RecurringTodo["every"]): string {
  if (unit === "day" && count === 1) return "every day";
  if (unit === "day" && count === 7) return "every week";
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
