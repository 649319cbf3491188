"use client";

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Hook, type HookDraft, hookEndpoints } from "@/contracts/browser/hooks";
import { hookQueries } from "./queries";

const listKey = hookQueries.list().queryKey;
const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: hookQueries.all() });

/** Returns the version of a hook that the page shows now: a queued change must start from the result of the change before it. */
function shownVersion(client: QueryClient, { id, version }: Hook): number {
  return client.getQueryData(listKey)?.items.find((hook) => hook.id === id)?.version ?? version;
}

/** Reorders the hooks, first run first. */
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

/** Switches one hook on or off. The page shows the change at once and reverts it after a refusal. */
export function useSwitchHook() {
  const client = useQueryClient();
  const show = (changed: Hook) =>
    client.setQueryData(listKey, (list) => list && { ...list, items: list.items.map((hook) => (hook.id === changed.id ? changed : hook)) });
  return useMutation({
    scope: { id: "hooks" },
    mutationFn: async ({ hook, enabled }: { hook: Hook; enabled: boolean }) => {
      const { toHookDraft, toHookForm } = await import("./hook-form");
      const { draft } = toHookDraft({ ...toHookForm(hook), enabled });
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
