import "server-only";
import { snippetEndpoints } from "@/contracts/snippets";
import { snippets as snippetTable } from "@/db/schema";
import { defineResource } from "@/server/resources/define-resource";

export const snippets = defineResource({
  table: snippetTable,
  endpoints: snippetEndpoints,
  noun: "snippet",
  present: (rows) =>
    rows.map(({ id, name, text, version, createdAt }) => ({ id, name, text, version, createdAt: createdAt.toISOString() })),
  inAudit: ({ name }) => ({ name }),
  toColumns: (draft) => draft,
  isUncached: true,
});
