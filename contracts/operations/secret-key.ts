import { z } from "zod";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const SecretKeyStatus = z
  .object({
    opensSecrets: z.boolean().describe("Whether the secret key of the process that answers is the one that sealed the secrets."),
    sentence: z.string(),
    wayOut: z.string().nullable().describe("What to do about it; null when nothing has to be done."),
  })
  .meta({ id: "SecretKeyStatus" });
export type SecretKeyStatus = z.infer<typeof SecretKeyStatus>;

export const secretKeyEndpoints = {
  status: endpoint({
    method: "GET",
    path: "/api/v1/secret-key",
    summary: "Whether the stored secrets can be opened with the secret key of the process that answers",
    permission: "guard:read",
    response: SecretKeyStatus,
  }),
};

export const secretKeyContract = defineContract({
  reference: { name: "Secret key", description: "The key that seals provider keys, passwords and tokens." },
  endpoints: secretKeyEndpoints,
});
