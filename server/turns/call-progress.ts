import { onSignal, signalHere } from "@/server/platform/bus";
import { bootId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { isWatchedElsewhere, isWatchedHere, send } from "./watch-turns";

type Line = { message: string; toldAt: number; isDue: boolean };

/** The last progress line of each running call, by turn: told to whoever watches, gone with the call. */
const lines = () =>
  processWide("callProgress", () => {
    const all = new Map<string, Map<string, Line>>();
    // What a call on another replica says, for those who watch it here.
    onSignal("progress", ({ turnId, callId, message, by }) => {
      // Sent to all: what comes back to where it was said, perhaps after the call, and what nobody asked for is left alone.
      if (by === bootId() || !isWatchedHere(turnId)) return;
      setLine(all, turnId, callId, message);
      for (const oldest of all.keys()) {
        if (all.size <= mostTurns) break;
        all.delete(oldest);
      }
      signalHere({ topic: "turn", turnId });
    });
    return all;
  });

const lineLimit = 200;
/** Turns whose lines are kept: those of a turn that ended elsewhere go with its feed, or when others come. */
const mostTurns = 10_000;
/** A tool may report as often as it likes; people are told ten times a second, and the last line always. */
const betweenMs = 100;

export function callProgress(turnId: string): ReadonlyMap<string, { message: string }> {
  return lines().get(turnId) ?? new Map();
}

/** Begins to hear of progress on other replicas; called once at start. */
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
