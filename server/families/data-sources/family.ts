import { defineFamily } from "../define-family";
import { dataSources } from "./capability";
import { closeConnections } from "./connections";
import { dataSourcesCheck } from "./data-sources-check";
import { dataSourceAnswers } from "./endpoints";
import { datasource } from "./tools/datasource";
import { sqlQuery } from "./tools/sql-query";

export const dataSourcesFamily = defineFamily({
  name: "data-sources",
  endpoints: dataSourceAnswers,
  tools: [datasource, sqlQuery],
  capabilities: [dataSources],
  doctor: [dataSourcesCheck],
  boot: [{ title: "Connections to data sources", limitMs: 5_000, start: async () => closeConnections }],
});
