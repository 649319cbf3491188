import { fileChangeEndpoints } from "@/contracts/file-changes";
import { listChanges } from "@/server/families/files/changes/find-changes";
import { route } from "@/server/http/route";

export const GET = route(fileChangeEndpoints.list, ({ actor, params, query }) => listChanges(actor, params.id, query));
