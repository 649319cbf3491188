import { identityEndpoints } from "@/contracts/identity";
import { changeOwnPassword } from "@/server/auth/change-own-password";
import { clientAddress } from "@/server/auth/client-address";
import { createApiKey } from "@/server/auth/create-api-key";
import { createUser } from "@/server/auth/create-user";
import { getMe } from "@/server/auth/get-me";
import { acceptInvitation, createInvitation } from "@/server/auth/invitations";
import { issueToken } from "@/server/auth/issue-token";
import { listApiKeys } from "@/server/auth/list-api-keys";
import { listUsers } from "@/server/auth/list-users";
import { removeUser } from "@/server/auth/remove-user";
import { revokeApiKey } from "@/server/auth/revoke-api-key";
import { updateUser } from "@/server/auth/update-user";
import { answer } from "@/server/endpoints/answer";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

export const identityAnswers = answer(identityEndpoints, {
  token: ({ body, request, requestId }) => issueToken(body, request.headers, requestId),
  me: async ({ actor }) => {
    if (!actor) throw new AppError("unauthenticated", "Nobody is signed in. Send an API key or a token: Authorization: Bearer <token>");
    return getMe(actor);
  },
  changePassword: async ({ actor, body, request }) => {
    if (!actor) throw new AppError("unauthenticated", "Nobody is signed in. Sign in with your current password.");
    await changeOwnPassword(actor, body, clientAddress(request.headers.get("x-forwarded-for"), env().trustedProxies));
    return {};
  },
  listApiKeys: ({ actor, query }) => listApiKeys(actor, query),
  createApiKey: ({ actor, body }) => createApiKey(actor, body),
  revokeApiKey: ({ actor, params }) => revokeApiKey(actor, params.id),
  listUsers: ({ actor, query }) => listUsers(actor, query),
  createUser: ({ actor, body }) => createUser(actor, body),
  updateUser: ({ actor, params, body }) => updateUser(actor, params.id, body),
  invite: ({ actor, params }) => createInvitation(actor, params.id),
  acceptInvitation: ({ body, requestId }) => acceptInvitation(body, requestId),
  removeUser: ({ actor, params }) => removeUser(actor, params.id),
});
