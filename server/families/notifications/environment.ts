import { defineVariable, offUnlessTrue } from "@/server/platform/define-variable";

export const notificationsAllowPrivate = defineVariable({
  name: "HANDRAIL_NOTIFICATIONS_ALLOW_PRIVATE",
  schema: offUnlessTrue,
  fallback: "`false`",
  meaning: "`true` lets notifications use mail servers and push services in private networks too, and servers without TLS",
});

export const environment = [notificationsAllowPrivate];
