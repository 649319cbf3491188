import "server-only";
import { defineCapability } from "@/server/capabilities/define-capability";
import type { ToolResult } from "@/server/tools/define-tool";
import type { BrowserAction, UploadFile } from "./browser-action";
import { performAnywhere } from "./relay-action";

/** The browser of one conversation. Each of its connections goes through a proxy that checks the address. */
export type BrowserCapability = {
  /** Performs one action and returns the result for the model. `uploads`: the files of an upload. @throws AppError */
  perform(action: BrowserAction, given: { signal: AbortSignal; uploads?: readonly UploadFile[] }): Promise<ToolResult>;
};

export const browser = defineCapability({
  name: "browser",
  title: "A web browser of the conversation",
  isOfConversation: true,
  reachesHosts: true,
  create: ({ conversationId, privateHosts, approvedHosts }): BrowserCapability => ({
    perform: (action, given) =>
      performAnywhere(action, { conversationId, privateHosts: privateHosts(), approvedHosts: approvedHosts(), ...given }),
  }),
});
