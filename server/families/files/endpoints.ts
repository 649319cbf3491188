import { fileChangeEndpoints } from "@/contracts/turns/file-changes";
import { answer } from "@/server/endpoints/answer";
import { getChange, restoreChange } from "./changes/change-endpoints";
import { listChanges } from "./changes/find-changes";

export const fileChangeAnswers = answer(fileChangeEndpoints, {
  list: ({ actor, params, query }) => listChanges(actor, params.id, query),
  get: ({ actor, params }) => getChange(actor, params.id, params.changeId),
  restore: ({ actor, params, body, signal }) =>
    restoreChange(actor, { conversationId: params.id, changeId: params.changeId, force: body.force, signal }),
});
