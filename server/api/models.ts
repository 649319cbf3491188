import { modelEndpoints } from "@/contracts/models/models";
import { answer } from "@/server/endpoints/answer";
import { createProvider, orderProviders, removeProvider, updateProvider } from "@/server/models/change-providers";
import { findLocalServers } from "@/server/models/find-local-servers";
import { listDraftModels, listModelsOf } from "@/server/models/list-offered-models";
import { getProvider, listProviders } from "@/server/models/list-providers";
import { testDraft, testProvider } from "@/server/models/test-provider";

export const modelAnswers = answer(modelEndpoints, {
  list: ({ actor }) => listProviders(actor),
  create: ({ actor, body }) => createProvider(actor, body),
  get: ({ actor, params }) => getProvider(actor, params.id),
  update: ({ actor, params, body, version }) => updateProvider(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeProvider(actor, params.id, version),
  order: ({ actor, body }) => orderProviders(actor, body.ids),
  listModels: ({ actor, params, signal }) => listModelsOf(actor, params.id, signal),
  listDraftModels: ({ actor, body, signal }) => listDraftModels(actor, body, signal),
  test: ({ actor, params, body, signal }) => testProvider(actor, params.id, body.model, signal),
  testDraft: ({ actor, body, signal }) => testDraft(actor, body, signal),
  listLocal: ({ actor }) => findLocalServers(actor),
});
