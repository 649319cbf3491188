import { identityEndpoints } from "@/contracts/identity";
import { changeOwnPassword } from "@/server/auth/change-own-password";
import { clientAddress } from "@/server/auth/client-address";
import { route } from "@/server/http/route";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

export const PUT = route(identityEndpoints.changePassword, async ({ actor, body, request }) => {
  if (!actor) throw new AppError("unauthenticated", "Nobody is signed in. Sign in with your current password.");
  await changeOwnPassword(actor, body, clientAddress(request.headers.get("x-forwarded-for"), env().trustedProxies));
  return {};
});
