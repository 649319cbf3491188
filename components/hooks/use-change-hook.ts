"use client";

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Hook, type HookDraft, hookEndpoints } from "@/contracts/hooks";
import { draftOf, formOf } from "./hook-form";
import { hookQueries } from "./queries";

const listKey = hookQueries.list().queryKey;
const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: hookQueries.all() });

/** The version of a hook that the page shows by now: a change that waited for the one before it starts from that one's outcome. */
function shownVersion(client: QueryClient, { id, version }: Hook): number {
  return client.getQueryData(listKey)?.items.find((hook) => hook.id === id)?.version ?? version;
}

/** Puts the hooks into another order, first run first. */
export function useOrderHooks() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: "hooks" },
    mutationFn: (ordered: readonly Hook[]) => call(hookEndpoints.order, { body: { ids: ordered.map(({ id }) => id) } }),
    onMutate: async (ordered) => {
      await client.cancelQueries({ queryKey: listKey });
      const before = client.getQueryData(listKey);
      client.setQueryData(listKey, { items: [...ordered], nextCursor: null });
      return { before };
    },
    onError: (_error, _ordered, saved) => client.setQueryData(listKey, saved?.before),
    onSuccess: (answer) => client.setQueryData(listKey, answer),
    onSettled: () => refresh(client),
  });
}

/** Switches one hook on or off. The page shows it at once and takes it back when it is refused. */
export function useSwitchHook() {
  const client = useQueryClient();
  const show = (changed: Hook) =>
    client.setQueryData(listKey, (list) => list && { ...list, items: list.items.map((hook) => (hook.id === changed.id ? changed : hook)) });
  return useMutation({
    scope: { id: "hooks" },
    mutationFn: ({ hook, enabled }: { hook: Hook; enabled: boolean }) => {
      const { draft } = draftOf({ ...formOf(hook), enabled });
      if (!draft) throw new Error("This hook cannot be changed here: open it and look at its fields.");
      return call(hookEndpoints.update, { params: { id: hook.id }, body: draft }, { version: shownVersion(client, hook) });
    },
    onMutate: async ({ hook, enabled }) => {
      await client.cancelQueries({ queryKey: listKey });
      show({ ...hook, enabled });
    },
    onError: (_error, { hook }) => show(hook),
    onSuccess: show,
    onSettled: () => refresh(client),
  });
}

/** Saves a hook, new or changed. */
export function useSaveHook() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ saved, draft }: { saved: Hook | null; draft: HookDraft }) =>
      saved
        ? call(hookEndpoints.update, { params: { id: saved.id }, body: draft }, { version: saved.version })
        : call(hookEndpoints.create, { body: draft }),
    onSettled: () => refresh(client),
  });
}
