import { erasureEndpoints } from "@/contracts/audit/erasures";
import { answer } from "@/server/endpoints/answer";
import { streamLines } from "@/server/endpoints/stream-lines";
import { getErasure, listErasures, planErasure, startErasure } from "./erasures";
import { personLines } from "./export-person";

export const erasureAnswers = answer(erasureEndpoints, {
  plan: ({ actor, query }) => planErasure(actor, query),
  exportPerson: ({ actor, query: { kind, personId } }) =>
    streamLines(personLines(actor, kind, personId), `person-${personId}-${new Date().toISOString().slice(0, 10)}.ndjson`),
  list: ({ actor, query }) => listErasures(actor, query),
  get: ({ actor, params }) => getErasure(actor, params.id),
  start: ({ actor, body }) => startErasure(actor, body),
});
