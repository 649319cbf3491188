import { defineResource } from "@/components/kit/resources/define-resource";
import { dataSourceEndpoints } from "@/contracts/browser/tools/data-sources";

export const dataSourceResource = defineResource({
  key: "data-sources",
  noun: "data source",
  endpoints: dataSourceEndpoints,
  isPaged: true,
  toDraft: ({ name, kind, description, host, port, database, username, sslMode, file, enabled }) => ({
    ...{ name, kind, description, host, port, database, username, sslMode, file, enabled },
  }),
});
