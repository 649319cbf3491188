import { fileChangeEndpoints } from "@/contracts/file-changes";
import { getChange } from "@/server/families/files/changes/change-endpoints";
import { route } from "@/server/http/route";

export const GET = route(fileChangeEndpoints.get, ({ actor, params }) => getChange(actor, params.id, params.changeId));
