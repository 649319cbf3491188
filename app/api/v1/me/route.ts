import { identityEndpoints } from "@/contracts/identity";
import { getMe } from "@/server/auth/get-me";
import { route } from "@/server/http/route";
import { AppError } from "@/server/platform/errors";

export const GET = route(identityEndpoints.me, async ({ actor }) => {
  if (!actor) throw new AppError("unauthenticated", "Nobody is signed in. Send an API key or a token: Authorization: Bearer <token>");
  return getMe(actor);
});
