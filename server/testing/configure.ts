/** Functions of families with which core tests set up a workspace, because the core itself imports no family. */
export { createHook } from "@/server/families/hooks/create-hook";
export { createWebhook } from "@/server/families/webhooks/webhooks";
