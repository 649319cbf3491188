"use client";

import { Button, Drawer, Select } from "@mantine/core";
import { IconEye, IconList, IconMessagePlus } from "@tabler/icons-react";
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { type ReactNode, useRef, useState } from "react";
import { isId } from "@/components/kit/api/address-parts";
import { useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { loadMarkdown } from "@/components/kit/markdown/answer-text";
import { useRefusal } from "@/components/kit/session/me";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { useIdlePreload } from "@/components/kit/ui/use-idle-preload";
import { agentQueries } from "@/components/nouns/agents/queries";
import type { Agent } from "@/contracts/agents/agents";
import type { Chat } from "@/contracts/runs/chats";
import { ChatList } from "./chat-list";
import { ChatPane } from "./chat-pane";
import classes from "./chat-view.module.css";
import { chatQueries } from "./queries";
import { chatSearch } from "./search-params";
import { useConversation } from "./use-conversation";

const loadModelView = () => import("./model-view-drawer");
// Loaded after the page, because it opens only on a click.
const ModelViewDrawer = dynamic(() => loadModelView().then((file) => file.ModelViewDrawer), { ssr: false });

/** Returns a conversation as a list that was read has it, so that the pane need not wait for its agent. */
function findListed(client: QueryClient, id: string | null): Chat | undefined {
  const lists = client.getQueriesData<InfiniteData<{ items: Chat[] }>>({ queryKey: [...chatQueries.all(), "list"] });
  return lists.flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? []).find((chat) => chat.id === id);
}

/** The chat: conversations at the left, the open one at the right. In a narrow window the list is a drawer. */
export function ChatView() {
  const [search, setSearch] = useQueryStates(chatSearch, { history: "push" });
  const chosen = search.chat !== null && isId(search.chat) ? search.chat : null;
  const agents = useQuery(agentQueries.list());
  const client = useQueryClient();
  const chat = useQuery({
    ...chatQueries.one(chosen ?? ""),
    enabled: chosen !== null,
    placeholderData: () => findListed(client, chosen),
  });
  /** The conversation that the open pane began, with the pane's key: its field keeps the focus. */
  const [started, setStarted] = useState<{ chat: string; agentId: string; pane: string } | null>(null);
  const [isListOpen, setIsListOpen] = useState(false);
  const [showsModelView, setShowsModelView] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useIdlePreload(loadMarkdown);
  const items = agents.data?.items ?? [];
  const standard = items.find(({ isDefault }) => isDefault) ?? items[0] ?? null;
  const ownerId = chat.data?.agentId ?? (started?.chat === chosen ? started?.agentId : undefined);
  const isOwnerComing = chosen !== null && ownerId === undefined && chat.isPending;
  const named = items.find(({ id, name }) => (chosen === null ? name === search.agent : id === ownerId));
  const agent = isOwnerComing ? null : (named ?? standard);
  const [begun, setBegun] = useState(0);
  const pane = chosen === null ? `new ${agent?.id} ${begun}` : started?.chat === chosen ? started.pane : chosen;
  const conversation = useConversation(chosen, agent);
  const begin = (name: string | null = null) => {
    setBegun(begun + 1);
    setIsListOpen(false);
    void setSearch({ chat: null, agent: name }).then(() => field.current?.focus());
  };
  const open = (id: string) => {
    setIsListOpen(false);
    void setSearch({ chat: id, agent: null });
  };
  useRowKeys("Chat");
  useShortcuts([
    { keys: "n", label: "Begin a conversation", group: "Chat", run: () => begin(agent?.name ?? null) },
    { keys: "i", label: "Write a message", group: "Chat", run: () => field.current?.focus() },
  ]);
  const list = (
    <ChatList
      chosen={chosen}
      query={search.query}
      onSearch={(query) => void setSearch({ query }, { history: "replace" })}
      onOpen={open}
      onRemoved={(id) => {
        if (id === chosen) begin();
      }}
    />
  );
  return (
    <div className={classes.chat}>
      <ChatHeader
        agents={items}
        agent={agent}
        onAgent={begin}
        onList={() => setIsListOpen(true)}
        onModelView={() => setShowsModelView(true)}
      />
      <div className={`${classes.panes} ${shared.surface}`}>
        <div className={classes.list}>{list}</div>
        {agents.isError && !agents.data ? (
          <ErrorState error={agents.error} what="the agents" retry={() => void agents.refetch()} retrying={agents.isRefetching} />
        ) : agent === null ? (
          <RowSkeletons rows={3} height={5} what="the chat" />
        ) : (
          <ChatPane
            key={pane}
            chosen={chosen}
            agent={agent}
            conversation={conversation}
            field={field}
            onStarted={(id) => {
              setStarted({ chat: id, agentId: agent.id, pane });
              void setSearch({ chat: id, agent: null });
            }}
          />
        )}
      </div>
      <ListDrawer isOpen={isListOpen} onClose={() => setIsListOpen(false)}>
        {list}
      </ListDrawer>
      {showsModelView && agent ? (
        <ModelViewDrawer agent={agent.name} requireConversation={conversation.require} onClose={() => setShowsModelView(false)} />
      ) : null}
    </div>
  );
}

type ChatHeaderProps = {
  agents: readonly Agent[];
  agent: Agent | null;
  /** Begins a conversation with an agent; null: the agent of the settings. */
  onAgent: (name: string | null) => void;
  onList: () => void;
  onModelView: () => void;
};

function ChatHeader({ agents, agent, onAgent, onList, onModelView }: ChatHeaderProps) {
  const noTools = useRefusal("tools:read");
  return (
    <header className={classes.header}>
      <h1 className={classes.heading}>Chat</h1>
      <Button
        className={`${classes.toList} ${classes.narrow}`}
        variant="default"
        aria-label="Conversations"
        leftSection={<IconList size={16} aria-hidden />}
        onClick={onList}
      >
        <span className={classes.word}>Conversations</span>
      </Button>
      <Select
        className={classes.agent}
        aria-label="Agent"
        data={agents.map(({ name }) => name)}
        value={agent?.name ?? null}
        allowDeselect={false}
        searchable={agents.length > 8}
        disabled={agents.length === 0}
        onChange={onAgent}
      />
      <span className={classes.actions}>
        <Button
          className={classes.narrow}
          variant="default"
          aria-label="What the model sees"
          leftSection={<IconEye size={16} aria-hidden />}
          disabled={agent === null || noTools !== null}
          onClick={onModelView}
        >
          <span className={classes.word}>What the model sees</span>
        </Button>
        <Button
          className={classes.narrow}
          aria-label="New chat"
          leftSection={<IconMessagePlus size={16} aria-hidden />}
          onClick={() => onAgent(agent?.name ?? null)}
        >
          <span className={classes.word}>New chat</span>
        </Button>
      </span>
    </header>
  );
}

/** The list of conversations in a narrow window. */
function ListDrawer({ isOpen, onClose, children }: { isOpen: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="left"
      size="20rem"
      title="Conversations"
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      {children}
    </Drawer>
  );
}
