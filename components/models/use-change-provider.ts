"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type ModelAccess, type ModelProvider, type ModelProviderDraft, modelEndpoints } from "@/contracts/browser/models";
import { modelQueries } from "./queries";

const listKey = modelQueries.list().queryKey;

/** Reorders the providers, first asked first. The page shows the order at once. */
export function useOrderProviders() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: "model-providers" },
    mutationFn: (ordered: readonly ModelProvider[]) => call(modelEndpoints.order, { body: { ids: ordered.map(({ id }) => id) } }),
    onMutate: async (ordered) => {
      await client.cancelQueries({ queryKey: listKey });
      const before = client.getQueryData(listKey);
      client.setQueryData(listKey, { items: [...ordered], nextCursor: null });
      return { before };
    },
    onError: (_error, _ordered, saved) => client.setQueryData(listKey, saved?.before),
    onSuccess: (answer) => client.setQueryData(listKey, answer),
    onSettled: () => client.invalidateQueries({ queryKey: listKey }),
  });
}

/** Enables or disables a provider. The page shows the change at once and reverts it after a refusal. */
export function useSwitchProvider() {
  const client = useQueryClient();
  const show = (changed: ModelProvider) =>
    client.setQueryData(listKey, (list) => list && { ...list, items: list.items.map((item) => (item.id === changed.id ? changed : item)) });
  return useMutation({
    scope: { id: "model-providers" },
    mutationFn: ({ provider: { id, name, kind, baseUrl, models }, enabled }: { provider: ModelProvider; enabled: boolean }) =>
      call(modelEndpoints.update, { params: { id }, body: { name, kind, baseUrl, models, enabled } }),
    onMutate: async ({ provider, enabled }) => {
      await client.cancelQueries({ queryKey: listKey });
      show({ ...provider, enabled });
    },
    onError: (_error, { provider }) => show(provider),
    onSuccess: show,
    onSettled: () => client.invalidateQueries({ queryKey: listKey }),
  });
}

/** Saves a provider, new or changed. */
export function useSaveProvider() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ saved, draft }: { saved: ModelProvider | null; draft: ModelProviderDraft }) =>
      saved
        ? call(modelEndpoints.update, { params: { id: saved.id }, body: draft }, { version: saved.version })
        : call(modelEndpoints.create, { body: draft }),
    onSettled: () => client.invalidateQueries({ queryKey: modelQueries.all() }),
  });
}

/** Lists the models of the provider in the form. */
export function useOfferedModels() {
  return useMutation({
    meta: { showsError: true },
    mutationFn: (access: ModelAccess) => call(modelEndpoints.listDraftModels, { body: access }),
  });
}

/** Asks a model of the provider in the form for one word. */
export function useModelTest() {
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ access, model }: { access: ModelAccess; model: string }) =>
      call(modelEndpoints.testDraft, { body: { ...access, model } }),
  });
}
