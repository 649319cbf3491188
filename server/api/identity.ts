import { identityEndpoints } from "@/contracts/identity/identity";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { listApiKeys } from "@/server/auth/api-keys/list-api-keys";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { clientAddress } from "@/server/auth/client-address";
import { getMe } from "@/server/auth/get-me";
import { changeOwnPassword } from "@/server/auth/members/change-own-password";
import { createUser } from "@/server/auth/members/create-user";
import { acceptInvitation, createInvitation } from "@/server/auth/members/invitations";
import { listUsers } from "@/server/auth/members/list-users";
import { removeUser } from "@/server/auth/members/remove-user";
import { updateUser } from "@/server/auth/members/update-user";
import { issueToken } from "@/server/auth/sign-in/issue-token";
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
