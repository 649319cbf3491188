"use client";

import { ActionIcon, Anchor, Checkbox } from "@mantine/core";
import { IconListCheck, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { TodoItem } from "@/contracts/conversations/todos";
import { todoQueries } from "./queries";
import classes from "./todos.module.css";
import { useChangeTodos } from "./use-change-todos";

const words = { open: { what: "the open to-dos", empty: "Nothing to do" }, done: { what: "the done to-dos", empty: "Nothing done yet" } };

/** To-dos of one status, with their actions. */
export function TodoSection({ status }: Pick<TodoItem, "status">) {
  const list = useInfiniteQuery(todoQueries.list(status));
  const { what, empty } = words[status];
  return (
    <PagedList
      query={list}
      items="to-dos"
      what={what}
      skeletons={{ rows: 3, height: 2.25 }}
      empty={
        <EmptyState icon={IconListCheck} title={empty}>
          {status === "open" ? "Add a to-do above, or let an agent add one with its tool todo_update." : "Completed to-dos are kept here."}
        </EmptyState>
      }
    >
      {(items) => (
        <ul className={rows.rows} aria-label={status === "open" ? "Open to-dos" : "Done to-dos"}>
          {items.map((item) => (
            <Todo key={item.id} item={item} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function Todo({ item }: { item: TodoItem }) {
  const refusal = useRefusal("todos:write");
  const { complete, remove } = useChangeTodos();
  const { id, status, content, people, conversationId, recurringId, createdBy, createdAt, doneBy, doneAt } = item;
  const isDone = status === "done";
  return (
    <li className={`${rows.row} ${classes.item}`}>
      <DisabledReason reason={refusal}>
        <Checkbox
          aria-label={isDone ? `${content} is done` : `Complete ${content}`}
          checked={isDone || complete.isPending}
          disabled={isDone || refusal !== null}
          onChange={() => complete.mutate(id)}
        />
      </DisabledReason>
      <div className={shared.fluid}>
        <RevealedText text={content} />
        <div className={`${shared.inline} ${shared.small}`}>
          {people.length > 0 ? (
            <span>
              <RevealedText text={people.join(", ")} />
            </span>
          ) : null}
          {recurringId ? <span>recurring</span> : null}
          <span>
            {isDone && doneAt ? (
              <>
                done <RelativeTime at={doneAt} /> by <RevealedText text={doneBy?.name} />
              </>
            ) : (
              <>
                added <RelativeTime at={createdAt} /> by <RevealedText text={createdBy.name} />
              </>
            )}
          </span>
          {conversationId ? (
            <Anchor component={Link} href={`/turns?conversation=${conversationId}`} size="xs">
              Its conversation
            </Anchor>
          ) : null}
        </div>
      </div>
      <DisabledReason reason={refusal}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${content}`}
          loading={remove.isPending}
          disabled={refusal !== null}
          onClick={() => remove.mutate(id)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </DisabledReason>
    </li>
  );
}
