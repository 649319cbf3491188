import { knowledgeTransformationEndpoints } from "@/contracts/knowledge/knowledge-transformations";
import { answer } from "@/server/endpoints/answer";
import {
  cancelRun,
  createTransformation,
  listRuns,
  listTransformations,
  removeTransformation,
  runTransformation,
  updateTransformation,
} from "./manage-transformations";

export const transformationAnswers = answer(knowledgeTransformationEndpoints, {
  list: ({ actor, params }) => listTransformations(actor, params.id),
  create: ({ actor, params, body }) => createTransformation(actor, params.id, body),
  update: ({ actor, params, body, version }) => updateTransformation(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeTransformation(actor, params.id, version),
  run: ({ actor, params, body }) => runTransformation(actor, params.id, body),
  listRuns: ({ actor, params }) => listRuns(actor, params.id),
  cancelRun: ({ actor, params }) => cancelRun(actor, params.id),
});
