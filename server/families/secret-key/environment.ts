import { defineVariable, offUnlessTrue } from "@/server/platform/define-variable";

export const acceptLostSecrets = defineVariable({
  name: "HANDRAIL_ACCEPT_LOST_SECRETS",
  schema: offUnlessTrue,
  fallback: "`false`",
  meaning:
    "`true` for one start: the key that sealed the secrets is lost, and the present key seals from now on; see [The secret key](#the-secret-key)",
});

export const environment = [acceptLostSecrets];
