import { defineVariable, offUnlessTrue } from "@/server/platform/define-variable";

/** Self-hosted receivers are often on the private network, but this setting opens the rest of that network too: the operator decides. */
export const callbackAllowPrivate = defineVariable({
  name: "HANDRAIL_WEBHOOK_ALLOW_PRIVATE",
  schema: offUnlessTrue,
  fallback: "`false`",
  meaning: "`true` lets every webhook and callback go to private and local addresses too, which is everything that this machine can reach",
});
