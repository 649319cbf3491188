import { authProfileEndpoints } from "@/contracts/tools/auth-profiles";
import { httpToolEndpoints } from "@/contracts/tools/http-tools";
import { answer } from "@/server/endpoints/answer";
import { authProfiles } from "./auth-profiles/auth-profiles";
import { createHttpTool, removeHttpTool, updateHttpTool } from "./change-http-tools";
import { getHttpTool } from "./get-http-tool";
import { importOpenApi } from "./openapi/import-openapi";

export const authProfileAnswers = answer(authProfileEndpoints, {
  list: authProfiles.list,
  create: authProfiles.create,
  get: authProfiles.get,
  update: authProfiles.update,
  remove: authProfiles.remove,
});

export const httpToolAnswers = answer(httpToolEndpoints, {
  create: ({ actor, body }) => createHttpTool(actor, body),
  get: ({ actor, params }) => getHttpTool(actor.workspaceId, params.id),
  update: ({ actor, params, body, version }) => updateHttpTool(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeHttpTool(actor, params.id, version),
  importOpenApi: ({ actor, body, signal }) => importOpenApi(actor, body, signal),
});
