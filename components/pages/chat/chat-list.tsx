"use client";

import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconDownload, IconHandStop, IconLoader2, IconMessages, IconPencil, IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { useRefusal } from "@/components/kit/session/me";
import { SearchField } from "@/components/kit/ui/filters/search-field";
import { PagedList } from "@/components/kit/ui/lists/paged-list";
import { RowLink } from "@/components/kit/ui/lists/row-link";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type Chat, type ChatFormat, chatEndpoints } from "@/contracts/browser/runs/chats";
import classes from "./chat-list.module.css";
import { chatQueries } from "./queries";
import { RenameChat } from "./rename-chat";
import { useRemoveChat } from "./use-remove-chat";

type ChatListProps = {
  chosen: string | null;
  query: string;
  onSearch: (query: string) => void;
  onOpen: (id: string) => void;
  /** The open conversation was deleted. */
  onRemoved: (id: string) => void;
};

/** Conversations, the latest first, with a search over titles, messages, calls and results. */
export function ChatList({ chosen, query, onSearch, onOpen, onRemoved }: ChatListProps) {
  const chats = useInfiniteQuery(chatQueries.list(query === "" ? {} : { query }));
  return (
    <div className={classes.list}>
      <SearchField label="Search conversations" placeholder="Search" value={query} onChange={onSearch} className={classes.search} />
      <div className={classes.scroll}>
        <PagedList
          query={chats}
          items="conversations"
          skeletons={{ rows: 5, height: 3 }}
          empty={
            query === "" ? (
              <p className={classes.none}>No conversations yet. The first message begins one.</p>
            ) : (
              <EmptyState icon={IconMessages} title="Nothing found">
                No title, message, call or result holds these words.
              </EmptyState>
            )
          }
        >
          {(items) => (
            <ul className={classes.items} aria-label="Conversations">
              {items.map((chat) => (
                <ChatRow
                  key={chat.id}
                  chat={chat}
                  isChosen={chat.id === chosen}
                  onOpen={() => onOpen(chat.id)}
                  onRemoved={() => onRemoved(chat.id)}
                />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </div>
  );
}

type ChatRowProps = { chat: Chat; isChosen: boolean; onOpen: () => void; onRemoved: () => void };

function ChatRow({ chat, isChosen, onOpen, onRemoved }: ChatRowProps) {
  const refusal = useRefusal("turns:write");
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = useRemoveChat(onRemoved);
  const exportAs = (format: ChatFormat) => endpointAddress(chatEndpoints.export, { params: { id: chat.id }, query: { format } });
  if (isRenaming) {
    return (
      <li className={classes.item}>
        <RenameChat chat={chat} onDone={() => setIsRenaming(false)} />
      </li>
    );
  }
  if (chat.lastRun === null) return <RowElsewhere chat={chat} />;
  return (
    <li className={classes.item} data-chosen={isChosen || undefined}>
      <div className={classes.words}>
        <RowLink href={`/chat?chat=${chat.id}`} className={`${classes.title} ${shared.oneLine}`} onOpen={onOpen}>
          <span aria-current={isChosen ? "page" : undefined}>
            <RevealedText text={chat.title} />
          </span>
        </RowLink>
        <Excerpt chat={chat} />
        <span className={`${classes.facts} ${shared.oneLine} ${shared.small}`}>
          <RunMark status={chat.lastRun.status} /> <RevealedText text={chat.agent} /> · <RelativeTime at={chat.lastRun.createdAt} />
        </span>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon className={classes.more} size="sm" aria-label={`Actions for ${spellHidden(chat.title)}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {refusal === null ? (
            <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setIsRenaming(true)}>
              Rename
            </Menu.Item>
          ) : null}
          <Menu.Item component="a" href={exportAs("markdown")} download leftSection={<IconDownload size={15} aria-hidden />}>
            Export as Markdown
          </Menu.Item>
          <Menu.Item component="a" href={exportAs("json")} download leftSection={<IconDownload size={15} aria-hidden />}>
            Export as JSON
          </Menu.Item>
          {refusal === null ? (
            <Menu.Item color="red" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => remove(chat)}>
              Delete
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** A conversation whose model runs elsewhere: its turns are all that can be opened. */
function RowElsewhere({ chat }: { chat: Chat }) {
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Link href={`/turns?conversation=${chat.id}`} className={`${classes.title} ${shared.oneLine}`}>
          <RevealedText text={chat.title} />
        </Link>
        <Excerpt chat={chat} />
        <span className={`${classes.facts} ${shared.oneLine} ${shared.small}`}>
          <RevealedText text={chat.agent} /> · <RelativeTime at={chat.createdAt} /> · Turns only
        </span>
      </div>
    </li>
  );
}

function Excerpt({ chat: { excerpt, excerptOf } }: { chat: Chat }) {
  if (!excerpt) return null;
  return (
    <span className={classes.excerpt}>
      {excerptOf ? <span className={classes.place}>{placeWords(excerptOf)} </span> : null}
      <RevealedText text={excerpt} />
    </span>
  );
}

/** Says whose words an excerpt shows. */
function placeWords({ kind, tool }: NonNullable<Chat["excerptOf"]>): string {
  switch (kind) {
    case "user":
      return "Message:";
    case "assistant":
      return "Answer:";
    case "call":
      return `Call of ${spellHidden(tool ?? "a tool")}:`;
    case "result":
      return `Result of ${spellHidden(tool ?? "a tool")}:`;
  }
}

function RunMark({ status }: { status: NonNullable<Chat["lastRun"]>["status"] }) {
  if (status === "waiting") {
    return (
      <span className={classes.mark} data-tone="ask">
        <IconHandStop size={13} aria-hidden /> Needs approval
      </span>
    );
  }
  if (status === "running" || status === "queued") {
    return (
      <span className={classes.mark} data-tone="running">
        <IconLoader2 size={13} aria-hidden /> Working
      </span>
    );
  }
  return null;
}
