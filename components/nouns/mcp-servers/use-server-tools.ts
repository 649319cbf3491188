"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { toolQueries } from "@/components/nouns/tools/queries";
import { serverQueries } from "./queries";

/** Refetches the tools whenever a server connects, fails or changes its list. Returns the aliases of connecting servers. */
export function useServerTools(): string[] {
  const client = useQueryClient();
  const { data } = useQuery(serverQueries.list());
  const fingerprint = data?.items
    .map(({ id, status, toolCount, tier, version }) => [id, status, toolCount, tier, version].join())
    .join(" ");
  const seen = useRef(fingerprint);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== fingerprint) {
      void client.invalidateQueries({ queryKey: toolQueries.all() });
      void client.invalidateQueries({ queryKey: serverQueries.toolsOfAll() });
    }
    seen.current = fingerprint;
  }, [client, fingerprint]);
  return data?.items.filter(({ status }) => status === "connecting").map(({ alias }) => alias) ?? [];
}
