import type { ActorRef, JsonObject } from "@/contracts/common";
import type { HookEvent } from "@/contracts/hooks/hook-actions";
import type { GuardedTool } from "@/server/guard/call/guard-request";

/** The point in an agent's work at which hooks run: the data that hooks match on and that hook runs record. */
export type HookContext = {
  event: HookEvent;
  workspaceId: string;
  conversationId: string;
  turnId: string | null;
  callId: string | null;
  agent: { id: string; name: string };
  /** Null around a model call. */
  tool: GuardedTool | null;
  /** Around a model call: the runtime that reports request and reply, because the model call bypasses Handrail. */
  toldBy?: ActorRef;
  /** The object that argument patterns are tried on: the call's arguments, or around a model call the value itself. */
  arguments: JsonObject;
};

/** The effect of one hook on its value. */
export type HookEffect =
  | { kind: "kept"; message?: string; data?: JsonObject; audit?: JsonObject }
  /** `hides`: the value before the change must not be shown. */
  | { kind: "changed"; value: JsonObject; hides?: boolean; message?: string }
  | { kind: "refused"; reason: string }
  /** A result in place of an error. */
  | { kind: "supplied"; result: string | JsonObject };

/** The HTTP answer of a program that a hook called. */
export type ProgramAnswer = { status: number; text: string };

/** A hook's access to other programs and to models; a try-out reaches none. */
export type HookOutbound = {
  /** Posts a signed message. @throws Error with a sentence when there is no answer. */
  post: (url: string, body: JsonObject) => Promise<ProgramAnswer>;
  /** Asks an agent's model once, without tools. @throws Error with a sentence when it is gone or does not answer */
  askAgent: (agentId: string, question: { instructions: string; message: string }) => Promise<string>;
  isTrial: boolean;
};

export type CompiledAction = (value: JsonObject, hookContext: HookContext, outbound: HookOutbound) => HookEffect | Promise<HookEffect>;
