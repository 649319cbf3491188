import { z } from "zod";
import { Id } from "./common";
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
