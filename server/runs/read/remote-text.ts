import "server-only";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onSignal, type Signal, signalEverywhere, signalHere } from "@/server/platform/signals/bus";
import { findRunTask, type Partial } from "../active-runs";

/** Time for which an owner sends text after a replica said that it follows; followers say so again before it is over. */
const watchedForMs = 60_000;
const announceEveryMs = 20_000;
/** A follower that lost a part asks again, at most this often. */
const askAgainMs = 1_000;
/** Shortest time between two notifications about a reply, because NOTIFY takes a database-wide lock. */
const betweenPartsMs = 250;
/** Characters of a part: a notification holds 8,000 bytes, and a character may take 6 of them. */
const partChars = 1_000;

type Part = Extract<Signal, { topic: "run_text" }>;
type Mirror = { by: string; attempt: number; partial: Partial; followers: number; askedAt: number };
/** Characters of a reply that were sent, by the place in it. */
type Sent = { places: Map<string, number>; pause: NodeJS.Timeout | null; isOwed: boolean };

/** The text of replies that other replicas write, and the replicas that follow runs. */
const state = () =>
  processWide("runs.remoteText", () => {
    const known = { mirrors: new Map<string, Mirror>(), watchers: new Map<string, Map<string, number>>(), generation: 0 };
    onSignal("run_text", (part) => {
      if (part.by !== bootId()) receive(part);
    });
    onSignal("run_watch", ({ runId, by, again }) => {
      if (by === bootId()) return;
      const of = watchersOf(runId);
      const isNew = !of.has(by);
      of.set(by, Date.now() + watchedForMs);
      known.watchers.set(runId, of);
      const partial = findRunTask(runId)?.partial;
      if (!partial || !(isNew || again)) return;
      sentOf(partial).places.clear();
      tellRemoteFollowers(runId, partial);
    });
    return known;
  });

/** Starts to remember which replicas follow which runs. */
export function listenForFollowers(): void {
  state();
}

/** Follows the text of a run that may be written by another replica. @returns a function that ends it */
export function followRemoteText(runId: string): () => void {
  const { mirrors } = state();
  const mirror = mirrors.get(runId) ?? { by: "", attempt: 0, partial: emptyPartial(), followers: 0, askedAt: 0 };
  mirror.followers += 1;
  mirrors.set(runId, mirror);
  // A second follower begins with what the first one has received.
  const announce = (again: boolean) => {
    if (findRunTask(runId)) return;
    send({ topic: "run_watch", runId, by: bootId(), ...(again ? { again } : {}) });
  };
  announce(mirror.followers === 1);
  const timer = setInterval(() => announce(false), announceEveryMs);
  return () => {
    clearInterval(timer);
    mirror.followers -= 1;
    if (mirror.followers === 0) mirrors.delete(runId);
  };
}

/** The reply of a run that is being written, here or as far as another replica told of it. */
export function findPartial(runId: string): Partial | null {
  const task = findRunTask(runId);
  return task ? task.partial : (state().mirrors.get(runId)?.partial ?? null);
}

/** Sends what is new of a reply to replicas that follow its run; nothing while there are none. */
export function tellRemoteFollowers(runId: string, partial: Partial): void {
  if (watchersOf(runId).size === 0) return;
  const sent = sentOf(partial);
  sent.isOwed = true;
  if (sent.pause) return;
  sendNew(runId, partial, sent);
  sent.pause = setTimeout(() => {
    sent.pause = null;
    if (sent.isOwed && findRunTask(runId)?.partial === partial) tellRemoteFollowers(runId, partial);
  }, betweenPartsMs);
}

function sendNew(runId: string, partial: Partial, sent: Sent): void {
  sent.isOwed = false;
  const { position, attempt } = partial;
  const places: [place: string, name: string | undefined, text: string][] = [
    ["reasoning", undefined, partial.reasoning],
    ["text", undefined, partial.text],
    ...partial.calls.map(({ name, arguments: args }, index): [string, string, string] => [String(index), name, args]),
  ];
  for (const [place, name, text] of places) {
    for (let offset = sent.places.get(place) ?? 0; offset < text.length || (name !== undefined && !sent.places.has(place)); ) {
      const part = text.slice(offset, offset + partChars);
      send({
        topic: "run_text",
        runId,
        by: bootId(),
        position,
        attempt,
        place,
        offset,
        text: part,
        ...(name === undefined ? {} : { name }),
      });
      offset += part.length;
      sent.places.set(place, offset);
    }
  }
}

const sents = new WeakMap<Partial, Sent>();

function sentOf(partial: Partial): Sent {
  const known = sents.get(partial) ?? { places: new Map(), pause: null, isOwed: false };
  sents.set(partial, known);
  return known;
}

function watchersOf(runId: string): Map<string, number> {
  const { watchers } = state();
  const of = watchers.get(runId) ?? new Map<string, number>();
  for (const [by, until] of of) if (until < Date.now()) of.delete(by);
  if (of.size === 0) watchers.delete(runId);
  return of;
}

function receive(part: Part): void {
  const mirror = state().mirrors.get(part.runId);
  if (!mirror || findRunTask(part.runId) || part.position < mirror.partial.position) return;
  const { runId, by, position, attempt } = part;
  if (mirror.by !== by || mirror.partial.position !== position || mirror.attempt !== attempt) {
    Object.assign(mirror, { by, attempt, partial: { ...emptyPartial(), position } });
  }
  if (append(mirror.partial, part)) signalHere({ topic: "run", runId, delta: true });
  else askAgain(mirror, runId);
}

/** Adds what is new of a part. @returns false when an earlier part is missing */
function append(partial: Partial, { place, offset, text, name = "" }: Part): boolean {
  if (place === "text" || place === "reasoning") {
    if (offset > partial[place].length) return false;
    partial[place] += text.slice(partial[place].length - offset);
    return true;
  }
  const index = Number(place);
  const call = partial.calls[index];
  if (call ? offset > call.arguments.length : offset > 0 || index !== partial.calls.length) return false;
  if (call) call.arguments += text.slice(call.arguments.length - offset);
  else partial.calls.push({ id: place, name, arguments: text });
  return true;
}

/** A part was lost, or this replica began to follow in the middle of a reply. */
function askAgain(mirror: Mirror, runId: string): void {
  if (Date.now() - mirror.askedAt < askAgainMs) return;
  mirror.askedAt = Date.now();
  send({ topic: "run_watch", runId, by: bootId(), again: true });
}

/** Attempts of other replicas count below zero, so that none equals an attempt of ours. */
function emptyPartial(): Partial {
  const known = state();
  known.generation -= 1;
  return { position: -1, attempt: known.generation, text: "", reasoning: "", calls: [] };
}

function send(signal: Extract<Signal, { topic: "run_text" | "run_watch" }>): void {
  signalEverywhere(signal).catch((error) => log().debug({ err: error }, "text of a run was not sent to other replicas"));
}
