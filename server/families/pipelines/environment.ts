import { defineVariable, offUnlessTrue } from "@/server/platform/define-variable";

/** A pipeline often runs on the private network; as for callbacks, the operator decides. */
export const delegateAllowPrivate = defineVariable({
  name: "HANDRAIL_DELEGATE_ALLOW_PRIVATE",
  schema: offUnlessTrue,
  fallback: "`false`",
  meaning: "`true` lets the pipeline of `core_execute` be at a private or local address",
});

/** Variables of this family. */
export const environment = [delegateAllowPrivate];
