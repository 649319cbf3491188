"use client";

import { useMutation } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type ModelAccess, modelEndpoints } from "@/contracts/browser/models/models";

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
