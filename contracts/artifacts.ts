import { z } from "zod";
import { Id } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";

export const artifactEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/artifacts/{id}",
    summary: "The bytes of an artifact, as an attachment",
    permission: "turns:read",
    params: z.object({ id: Id }),
    responseType: "application/octet-stream",
  }),
};

export const artifactContract = defineContract({
  reference: { name: "Artifacts", description: "Bytes that a call produced." },
  endpoints: artifactEndpoints,
});
