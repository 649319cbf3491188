import type { ActorRef, JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hook-actions";
import type { GuardedTool } from "@/server/guard/asked-call";

/** Where in an agent's work hooks run: what they match by, and what their records say. */
export type HookScene = {
  event: HookEvent;
  workspaceId: string;
  conversationId: string;
  turnId: string | null;
  callId: string | null;
  agent: { id: string; name: string };
  /** Null around a model call. */
  tool: GuardedTool | null;
  /** Around a model call: who tells what was asked and answered, as Handrail was not there. */
  toldBy?: ActorRef;
  /** What a hook's argument pattern sees: the call's arguments, or around a model call the value itself. */
  arguments: JsonObject;
};

/** What one hook makes of the value that it sees. */
export type HookEffect =
  | { kind: "kept"; message?: string; data?: JsonObject; audit?: JsonObject }
  /** `hides`: nobody is to be shown what stood there before. */
  | { kind: "changed"; value: JsonObject; hides?: boolean; message?: string }
  | { kind: "refused"; reason: string }
  /** A result in place of an error. */
  | { kind: "supplied"; result: string | JsonObject };

/** What an answer of a program that is asked may look like. */
export type Asked = { status: number; text: string };

/** How a hook reaches beyond the value. In a try-out nothing is reached. */
export type HookReach = {
  /** Posts a signed message. @throws Error with a sentence when there is no answer. */
  post: (url: string, body: JsonObject) => Promise<Asked>;
  isTrial: boolean;
};

export type HookAct = (value: JsonObject, scene: HookScene, reach: HookReach) => HookEffect | Promise<HookEffect>;
