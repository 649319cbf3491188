"use client";

import { ActionIcon, Anchor, Checkbox } from "@mantine/core";
import { IconListCheck, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { LoadMore } from "@/components/kit/ui/lists/load-more";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { TodoItem } from "@/contracts/conversations/todos";
import { todoQueries } from "./queries";
import classes from "./todos.module.css";
import { useChangeTodos } from "./use-change-todos";

const words = { open: { what: "the open to-dos", empty: "Nothing to do" }, done: { what: "the done to-dos", empty: "Nothing done yet" } };

/** To-dos of one status, with their actions. */
export function TodoSection({ status }: Pick<TodoItem, "status">) {
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(todoQueries.list(status));
  const items = data?.pages.flatMap((page) => page.items);
  const { what, empty } = words[status];
  if (!items && error) return <ErrorState error={error} what={what} retry={() => void refetch()} retrying={isRefetching} />;
  if (!items) return <RowSkeletons rows={3} height={2.25} what={what} />;
  if (items.length === 0) {
    return (
      <EmptyState icon={IconListCheck} title={empty}>
        {status === "open" ? "Add a to-do above, or let an agent add one with its tool todo_update." : "Completed to-dos are kept here."}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={classes.items} aria-label={status === "open" ? "Open to-dos" : "Done to-dos"}>
        {items.map((item) => (
          <Todo key={item.id} item={item} />
        ))}
      </ul>
      <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="to-dos" />
    </>
  );
}

function Todo({ item }: { item: TodoItem }) {
  const refusal = useRefusal("todos:write");
  const { complete, remove } = useChangeTodos();
  const { id, status, content, people, conversationId, recurringId, createdBy, createdAt, doneBy, doneAt } = item;
  const isDone = status === "done";
  return (
    <li className={classes.item}>
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
        <div className={classes.about}>
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
