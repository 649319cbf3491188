"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Turn } from "@/contracts/turns/turns";
import { chatQueries } from "../queries";

type KnownTurns = { turns: ReadonlyMap<string, Turn>; isLoaded: boolean };

const KnownTurnsContext = createContext<KnownTurns>({ turns: new Map(), isLoaded: false });

/** Reads the latest turns of a conversation in one request, so that its calls need none each. Unfinished ones are left to their own query. */
export function KnownTurnsProvider({ conversationId, children }: { conversationId: string; children: ReactNode }) {
  const { data, isPending } = useQuery(chatQueries.turns(conversationId));
  const known = useMemo(() => {
    const finished = (data ?? []).filter(({ finishedAt }) => finishedAt !== null);
    return { turns: new Map(finished.map((turn) => [turn.id, turn])), isLoaded: !isPending };
  }, [data, isPending]);
  return <KnownTurnsContext.Provider value={known}>{children}</KnownTurnsContext.Provider>;
}

export const useKnownTurns = (): KnownTurns => useContext(KnownTurnsContext);
