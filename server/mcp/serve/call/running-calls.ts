import { sha256 } from "@/server/platform/crypto";
import { newId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import type { McpClient } from "../client/mcp-client";

/** Calls that this process works on, by the runtime's id of the call. */
const running = () => processWide("mcp.runningCalls", () => new Map<string, AbortController>());

/** Runs work that `cancelRunning` can stop. */
export async function whileRunning<T>(runtimeId: string, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
  const cancelled = new AbortController();
  running().set(runtimeId, cancelled);
  try {
    return await work(cancelled.signal);
  } finally {
    running().delete(runtimeId);
  }
}

/** Cancels a call that this process works on. @returns false when there is none */
export function cancelRunning(runtimeId: string): boolean {
  const call = running().get(runtimeId);
  call?.abort();
  return call !== undefined;
}

/** Returns the runtime's id of a call, by which a cancellation finds the turn on any replica. */
export function runtimeIdOf({ session }: McpClient, requestId: string | number): string {
  return session ? `mcp:${session.id}:${sha256(`${typeof requestId} ${requestId}`).slice(0, 32)}` : `mcp:${newId()}`;
}
