import { defineVariable, offUnlessTrue } from "@/server/platform/define-variable";

export const messengerAllowPrivate = defineVariable({
  name: "HANDRAIL_MESSENGER_ALLOW_PRIVATE",
  schema: offUnlessTrue,
  fallback: "`false`",
  meaning:
    "`true` lets messengers use mail servers and platform addresses in private networks too, such as a Telegram Bot API server of your own",
});

export const environment = [messengerAllowPrivate];
