import { bootId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { onSignal, signalHere } from "@/server/platform/signals/bus";
import { isWatchedElsewhere, isWatchedHere, send } from "./watch-turns";

type Line = { message: string; toldAt: number; isDue: boolean };

/** The last progress line of each running call, by turn; kept in memory only, until the call ends. */
const lines = () =>
  processWide("callProgress", () => {
    const all = new Map<string, Map<string, Line>>();
    // Stores progress of calls on other replicas, for watchers on this replica.
    onSignal("progress", ({ turnId, callId, message, by }) => {
      // Every replica gets the signal, also its sender, perhaps after the call has ended. The sender and replicas
      // without a watcher ignore it.
      if (by === bootId() || !isWatchedHere(turnId)) return;
      setLine(all, turnId, callId, message);
      for (const oldest of all.keys()) {
        if (all.size <= maxTurns) break;
        all.delete(oldest);
      }
      signalHere({ topic: "turn", turnId });
    });
    return all;
  });

const lineLimit = 200;
/** Maximum of turns whose lines are kept. Lines of a turn that ended elsewhere go with its feed, or when newer turns come. */
const maxTurns = 10_000;
/** Minimum time between signals about a call, because a tool may report as often as it likes; the latest line is always sent. */
const betweenMs = 100;

export function callProgress(turnId: string): ReadonlyMap<string, { message: string }> {
  return lines().get(turnId) ?? new Map();
}

/** Subscribes to progress on other replicas; called once at start. */
export function followProgress(): void {
  lines();
}

export function reportProgress(turnId: string, callId: string, message: string): void {
  const line = setLine(lines(), turnId, callId, message.slice(0, lineLimit));
  if (line.isDue) return;
  const waitMs = line.toldAt + betweenMs - Date.now();
  if (waitMs <= 0) {
    tell(turnId, callId, line);
    return;
  }
  line.isDue = true;
  setTimeout(() => {
    line.isDue = false;
    if (lines().get(turnId)?.get(callId) === line) tell(turnId, callId, line);
  }, waitMs).unref();
}

export function forgetProgress(turnId: string, callId?: string): void {
  const ofTurn = lines().get(turnId);
  if (callId) ofTurn?.delete(callId);
  if (!callId || ofTurn?.size === 0) lines().delete(turnId);
}

function setLine(all: Map<string, Map<string, Line>>, turnId: string, callId: string, message: string): Line {
  const ofTurn = all.get(turnId) ?? new Map<string, Line>();
  const line = ofTurn.get(callId) ?? { message, toldAt: 0, isDue: false };
  line.message = message;
  ofTurn.set(callId, line);
  all.set(turnId, ofTurn);
  return line;
}

function tell(turnId: string, callId: string, line: Line): void {
  line.toldAt = Date.now();
  signalHere({ topic: "turn", turnId });
  if (isWatchedElsewhere(turnId)) send({ topic: "progress", turnId, callId, message: line.message, by: bootId() });
}
