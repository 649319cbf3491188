import { dataSourceEndpoints } from "@/contracts/tools/data-sources";
import { answer } from "@/server/endpoints/answer";
import { dataSources } from "./data-sources";
import { testDataSource } from "./test-data-source";

export const dataSourceAnswers = answer(dataSourceEndpoints, {
  list: dataSources.list,
  create: dataSources.create,
  get: dataSources.get,
  update: dataSources.update,
  remove: dataSources.remove,
  test: ({ actor, params }) => testDataSource(actor, params.id),
});
