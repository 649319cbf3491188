import { grantEndpoints } from "@/contracts/guard/grants";
import { createGrant } from "@/server/approvals/grants/create-grant";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { revokeGrant } from "@/server/approvals/grants/revoke-grant";
import { answer } from "@/server/endpoints/answer";
import { normalizeGrant } from "@/server/tools/normalize-call";

export const grantAnswers = answer(grantEndpoints, {
  list: ({ actor, query }) => listGrants(actor, query),
  create: async ({ actor, body }) => createGrant(actor, await normalizeGrant(actor.workspaceId, body)),
  revoke: ({ actor, params }) => revokeGrant(actor, params.id),
});
