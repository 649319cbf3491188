import { fileChangeEndpoints } from "@/contracts/file-changes";
import { restoreChange } from "@/server/families/files/changes/change-endpoints";
import { route } from "@/server/http/route";

export const POST = route(fileChangeEndpoints.restore, ({ actor, params, body, signal }) =>
  restoreChange(actor, { conversationId: params.id, changeId: params.changeId, force: body.force, signal }),
);
