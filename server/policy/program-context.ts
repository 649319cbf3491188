import "server-only";
import { describeOutside } from "@/server/capabilities/outside/outside-home";
import { ownPorts } from "@/server/capabilities/sandbox/network/conversation-network";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { GuardContext } from "@/server/guard/call/guard-request";
import { env } from "@/server/platform/env";

/**
 * Returns the sandbox part of a call's context, which is the same for calls of turns, evaluations and simulations.
 * @param conversationId absent for a call outside any conversation, which has no servers of its own
 */
export function programContext(conversationId?: string): Pick<GuardContext, "sandboxed" | "privateHosts" | "ownPorts" | "describeOutside"> {
  return {
    sandboxed: sandboxStatus().isOn,
    privateHosts: env().sandbox.privateHosts,
    describeOutside,
    ...(conversationId === undefined ? {} : { ownPorts: ownPorts(conversationId) }),
  };
}
