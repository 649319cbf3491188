"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { RunStatusBadge } from "@/components/nouns/runs/run-status-badge";
import type { HandedTask } from "@/contracts/agents/delegation";
import classes from "./handed-tasks.module.css";
import { delegationQueries } from "./queries";

/** The agent that handed a conversation its task, and the tasks that it handed on, as links. Empty when there are none. */
export function HandedTasks({ conversationId }: { conversationId: string }) {
  const { data } = useQuery(delegationQueries.ofConversation(conversationId));
  if (!data || (!data.parent && data.children.length === 0)) return null;
  return (
    <section className={classes.section} aria-label="Agents at work">
      {data.parent ? (
        <p className={classes.parent}>
          Task from{" "}
          <Link href={`/turns/${data.parent.turnId}`}>
            the agent <RevealedText text={data.parent.agent} />
          </Link>
          {data.delegators.slice(1).map(({ agent, conversationId }) => (
            <span key={conversationId}>
              , for{" "}
              <Link href={`/turns?conversation=${conversationId}`}>
                <RevealedText text={agent} />
              </Link>
            </span>
          ))}
        </p>
      ) : null}
      {data.children.length > 0 ? (
        <>
          <h2 className={classes.heading}>Tasks handed to other agents</h2>
          <ul className={shared.plainList}>
            {data.children.map((task) => (
              <ChildTask key={task.runId} task={task} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function ChildTask({ task }: { task: HandedTask }) {
  const { agent, runId, status, createdAt } = task;
  return (
    <li className={classes.task}>
      <Link href={`/runs/${runId}`}>
        <RevealedText text={agent} />
      </Link>
      <RunStatusBadge status={status} />
      <span className={`${classes.words} ${shared.oneLine}`}>
        <RevealedText text={task.task} />
      </span>
      <RelativeTime at={createdAt} />
    </li>
  );
}
