import { signalHere } from "@/server/platform/bus";
import { processWide } from "@/server/platform/process-wide";

/** The last progress line of each running call, by turn: told to whoever watches, gone with the call. */
const lines = () => processWide("callProgress", () => new Map<string, Map<string, string>>());

const lineLimit = 200;

export function callProgress(turnId: string): ReadonlyMap<string, string> {
  return lines().get(turnId) ?? new Map();
}

export function reportProgress(turnId: string, callId: string, message: string): void {
  const ofTurn = lines().get(turnId) ?? new Map<string, string>();
  ofTurn.set(callId, message.slice(0, lineLimit));
  lines().set(turnId, ofTurn);
  signalHere({ topic: "turn", turnId });
}

export function forgetProgress(turnId: string, callId: string): void {
  const ofTurn = lines().get(turnId);
  ofTurn?.delete(callId);
  if (ofTurn?.size === 0) lines().delete(turnId);
}
