import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { auditProofEndpoints } from "@/contracts/browser/audit/audit-proof";
import { auditRetentionEndpoints } from "@/contracts/browser/audit/audit-retention";
import { auditQueries } from "./queries";

export const auditProofQueries = {
  state: () =>
    queryOptions({
      queryKey: [...auditQueries.all(), "state"],
      queryFn: ({ signal }) => call(auditProofEndpoints.state, {}, { signal }),
      refetchInterval: 10_000,
    }),

  checkpoints: () =>
    queryOptions({
      queryKey: [...auditQueries.all(), "checkpoints"],
      queryFn: ({ signal }) => call(auditProofEndpoints.checkpoints, { query: { limit: 20 } }, { signal }),
    }),
};

export const auditRetentionQueries = {
  settings: () =>
    queryOptions({
      queryKey: ["audit-settings"],
      queryFn: ({ signal }) => call(auditRetentionEndpoints.settings, {}, { signal }),
    }),

  holds: () =>
    queryOptions({
      queryKey: ["audit-holds"],
      queryFn: async ({ signal }) => (await call(auditRetentionEndpoints.holds, { query: { limit: 200 } }, { signal })).items,
    }),
};
