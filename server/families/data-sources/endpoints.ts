import { dataSourceEndpoints } from "@/contracts/data-sources";
import { answer } from "@/server/endpoints/answer";
import { createDataSource, getDataSource, listDataSources, removeDataSource, updateDataSource } from "./data-sources";
import { testDataSource } from "./test-data-source";

export const dataSourceAnswers = answer(dataSourceEndpoints, {
  list: ({ actor, query }) => listDataSources(actor, query),
  create: ({ actor, body }) => createDataSource(actor, body),
  get: ({ actor, params }) => getDataSource(actor, params.id),
  update: ({ actor, params, body, version }) => updateDataSource(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeDataSource(actor, params.id, version),
  test: ({ actor, params }) => testDataSource(actor, params.id),
});
