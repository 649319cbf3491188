import { grantEndpoints } from "@/contracts/grants";
import { createGrant } from "@/server/approvals/grants/create-grant";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { route } from "@/server/http/route";
import { normalizeGrant } from "@/server/tools/normalize-call";

export const GET = route(grantEndpoints.list, ({ actor, query }) => listGrants(actor, query));

export const POST = route(grantEndpoints.create, async ({ actor, body }) =>
  createGrant(actor, await normalizeGrant(actor.workspaceId, body)),
);
