import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const metricsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/metrics",
    summary: "Metrics of this replica and of the workspace, in the text format of Prometheus",
    permission: "metrics:read",
    responseType: "text/plain",
  }),
};

export const metricsContract = defineContract({
  reference: { name: "Metrics", description: "For Prometheus and whatever reads its format." },
  endpoints: metricsEndpoints,
  permissions: { "metrics:read": "Read metrics of the workspace and its replicas" },
});
