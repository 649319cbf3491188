"use client";

import { IconAlertTriangle, IconBan, IconCircle, IconCircleCheck, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { WorkList } from "@/contracts/conversations/work-lists";
import { workListQueries } from "./queries";
import classes from "./work-list-panel.module.css";

type ItemStatus = WorkList["progress"][number]["status"] | WorkList["todos"][number]["status"];
type Item = { key: string; text: string; status: ItemStatus; note?: string };

const marks: Record<ItemStatus, { Icon: typeof IconCircle; word: string }> = {
  pending: { Icon: IconCircle, word: "open" },
  in_progress: { Icon: IconPlayerPlay, word: "in progress" },
  completed: { Icon: IconCircleCheck, word: "done" },
  failed: { Icon: IconAlertTriangle, word: "failed" },
  skipped: { Icon: IconBan, word: "skipped" },
  cancelled: { Icon: IconBan, word: "cancelled" },
};

/** Shows the plan, tasks, progress and goal of a conversation; nothing while its model keeps no list. */
export function WorkListPanel({ conversationId }: { conversationId: string }) {
  const { data } = useQuery(workListQueries.of(conversationId));
  if (!data) return null;
  const { goal, plan, todos, progress } = data;
  if (!goal && !plan && todos.length === 0 && progress.length === 0) return null;
  return (
    <section className={`${classes.panel} ${shared.surface}`} aria-label="Work of this conversation">
      {goal ? (
        <Part title="Goal" lead={goal.summary ? `${goal.goal} – ${goal.summary}` : goal.goal} isDone={goal.status === "completed"}>
          <Items
            items={goal.criteria.map(({ criterion, met }, index) => ({
              key: `${index} ${criterion}`,
              text: criterion,
              status: met ? "completed" : "pending",
            }))}
          />
        </Part>
      ) : null}
      {plan ? (
        <Part title="Plan" lead={plan.thought || plan.task} isDone={plan.steps.every(({ status }) => status === "completed")}>
          <Items items={plan.steps.map(({ step, status }, index) => ({ key: `${index} ${step}`, text: step, status }))} />
        </Part>
      ) : null}
      {todos.length > 0 ? (
        <Part title="Task list" isDone={todos.every(({ status }) => status === "completed" || status === "cancelled")}>
          <Items items={todos.map(({ id, content, status }) => ({ key: id, text: content, status }))} />
        </Part>
      ) : null}
      {progress.length > 0 ? (
        <Part title="Progress" isDone={progress.every(({ status }) => status === "completed" || status === "skipped")}>
          <Items items={progress.map(({ key, label, status, note }) => ({ key, text: label, status, note }))} />
        </Part>
      ) : null}
    </section>
  );
}

type PartProps = { title: string; lead?: string; isDone: boolean; children: ReactNode };

function Part({ title, lead, isDone, children }: PartProps) {
  return (
    <div>
      <h2 className={classes.title}>
        <RevealedText text={title} />
        {isDone ? <span className={classes.done}>done</span> : null}
      </h2>
      {lead ? (
        <p className={classes.lead}>
          <RevealedText text={lead} />
        </p>
      ) : null}
      {children}
    </div>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <ul className={classes.items}>
      {items.map(({ key, text, status, note }) => {
        const { Icon, word } = marks[status];
        return (
          <li key={key} className={classes.item} data-status={status}>
            <Icon size={16} role="img" aria-label={word} className={classes.mark} />
            <span>
              <RevealedText text={text} />
              {note ? (
                <span className={classes.note}>
                  {" "}
                  <RevealedText text={note} />
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
