import { maxPageSize } from "@/components/kit/api/max-page-size";
import { defineResource } from "@/components/kit/resources/define-resource";
import { dataSourceEndpoints } from "@/contracts/browser/tools/data-sources";

export const dataSourceResource = defineResource({
  key: "data-sources",
  noun: "data source",
  endpoints: dataSourceEndpoints,
  query: { limit: maxPageSize },
  toDraft: ({ name, kind, description, host, port, database, username, sslMode, file, enabled }) => ({
    ...{ name, kind, description, host, port, database, username, sslMode, file, enabled },
  }),
});
