import { secretKeyEndpoints } from "@/contracts/secret-key";
import { secretKeyStatus } from "@/server/families/secret-key/secret-key-status";
import { route } from "@/server/http/route";

export const GET = route(secretKeyEndpoints.status, async ({ actor }) => secretKeyStatus(actor.workspaceId));
