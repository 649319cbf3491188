"use client";

import { useRef, useState } from "react";
import type { Agent } from "@/contracts/agents/agents";
import { openConversation } from "./use-chat-actions";

/** Conversations that were opened for files or the listing of tools before their first message, by agent. */
const opened = new Map<string, string>();

/** The conversation of the page: the chosen one, or one that is opened when something first needs it. */
export function useConversation(chosen: string | null, agent: Pick<Agent, "name"> | null) {
  const [made, setMade] = useState<{ agent: string; id: string } | null>(null);
  const opening = useRef<Promise<string> | null>(null);
  const name = agent?.name ?? null;
  const unsent = name === null ? null : made?.agent === name ? made.id : (opened.get(name) ?? null);
  const require = async (): Promise<string> => {
    const known = chosen ?? unsent;
    if (known !== null) return known;
    if (name === null) throw new Error("No agent is chosen");
    opening.current ??= openConversation(name).finally(() => {
      opening.current = null;
    });
    const id = await opening.current;
    opened.set(name, id);
    setMade({ agent: name, id });
    return id;
  };
  /** Called after the first message, because the next new conversation is another one. */
  const forget = () => {
    if (name !== null) opened.delete(name);
    setMade(null);
  };
  return { conversationId: chosen ?? unsent, require, forget };
}
