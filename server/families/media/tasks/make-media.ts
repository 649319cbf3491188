import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@/contracts/common";
import type { MediaKind } from "@/contracts/models/media";
import { AppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { MediaClient } from "../providers/media-client";
import { MediaFault } from "../providers/media-fault";
import { openClient } from "../providers/open-client";
import type { Begun, Maker, MediaRequests } from "../providers/provider";
import { kindWords, type MediaAccess, readMediaChain } from "../settings/media-chain";
import { type Candidate, chooseProviders } from "./choose-providers";
import { collectFiles, type MediaFile } from "./collect-files";
import { changeTask, findTaskOfCall, isStopped, type MediaTaskRow, reserveTask, type TaskOwner } from "./media-tasks";

export type MediaScope = TaskOwner & { privateHosts: readonly string[] };
export type Watch = { signal: AbortSignal; progress: (line: string) => void };
/** What came of a task, and sentences for the model. */
export type Made = { taskId: string; title: string; model: string; files: readonly MediaFile[]; notes: readonly string[] };

type Asked<Kind extends MediaKind> = {
  kind: Kind;
  model: string | null;
  /** Loads what the request is made from. Not called for a call that starts again. */
  request: () => Promise<MediaRequests[Kind]>;
};

const firstPauseMs = 400;
const maxPauseMs = 10_000;
/** Questions about the progress that may fail in a row; the provider goes on with its work meanwhile. */
const maxFailedPolls = 20;
const limitAttempts = 3;
const maxRetryAfterSeconds = 20;

/**
 * Has a provider make something, once for each call: the request is stored before it leaves, so a call that starts again after a
 * crash goes on waiting for the provider's work, and never pays twice.
 * @throws AppError with the reason of each provider
 */
export async function makeMedia<Kind extends MediaKind>(scope: MediaScope, asked: Asked<Kind>, watch: Watch): Promise<Made> {
  const known = await findTaskOfCall(scope.callId);
  const chain = await readMediaChain(scope.workspaceId);
  if (known) return goOnWith(known, chain.accesses, scope, watch);
  const candidates = chooseProviders(chain, asked.kind, asked.model);
  const [first] = candidates;
  if (!first) throw new Error("no provider was chosen");
  const request = await asked.request();
  const owner = { workspaceId: scope.workspaceId, conversationId: scope.conversationId, callId: scope.callId };
  const chosen = { kind: asked.kind, provider: first.access.provider.id, model: first.model };
  const task = await reserveTask({ ...owner, ...chosen }, { onlyOne: asked.kind === "video" });
  const { candidate, begun, passedOver } = await beginWith(task, candidates, request, scope, watch);
  const made = "handle" in begun ? await waitFor(task, begun.handle, candidate, scope, watch) : begun;
  const files = await finish(task, made.files, candidate, scope, watch);
  return { ...describe(task, candidate), files, notes: [...passedOver, ...(made.notes ?? [])] };
}

const describe = ({ id }: MediaTaskRow, { access, model }: Candidate) => ({ taskId: id, title: access.provider.title, model });

/** Continues the task of a call that starts again. */
async function goOnWith(task: MediaTaskRow, accesses: readonly MediaAccess[], scope: MediaScope, watch: Watch): Promise<Made> {
  if (task.status === "failed") throw new AppError("unavailable", task.error ?? "The task failed. Begin a new one.");
  const candidate = candidateOf(task, accesses);
  if (task.status === "submitting" || task.handle === null) {
    throw await failed(
      task,
      `${candidate.access.provider.title} was asked when Handrail stopped, and its answer is lost. ${mayHaveBeenPaid}`,
    );
  }
  watch.progress(`Waiting for ${candidate.access.provider.title} again`);
  const made = await waitFor(task, task.handle, candidate, scope, watch);
  return { ...describe(task, candidate), files: await finish(task, made.files, candidate, scope, watch), notes: made.notes ?? [] };
}

/** Asks once how far a task is that no call waits for any more; null while the provider works on it. */
export async function lookAt(task: MediaTaskRow, scope: MediaScope, watch: Watch): Promise<Made | null> {
  const candidate = candidateOf(task, (await readMediaChain(scope.workspaceId)).accesses);
  const { poll } = makerOf(candidate, task.kind);
  if (!poll || task.handle === null) return null;
  const polled = await poll(task.handle, clientOf(candidate, scope, watch)).catch((error: unknown) => {
    throw toAppError(error, candidate);
  });
  if (polled.state !== "done") return null;
  const files = await finish(task, polled.files, candidate, scope, watch);
  return { ...describe(task, candidate), files, notes: polled.notes ?? [] };
}

function candidateOf(task: MediaTaskRow, accesses: readonly MediaAccess[]): Candidate {
  const access = accesses.find(({ provider }) => provider.id === task.provider);
  if (!access || access.key === "") {
    throw new AppError(
      "unavailable",
      `The key of ${task.provider} is gone, so task ${task.id} cannot be fetched. Add it in Settings, Media.`,
    );
  }
  return { access, model: task.model };
}

type Beginning = { candidate: Candidate; begun: Begun; passedOver: string[] };

/** Asks the providers in order until one takes the request. After an unknown outcome nobody else is asked. */
async function beginWith<Kind extends MediaKind>(
  task: MediaTaskRow,
  candidates: readonly Candidate[],
  request: MediaRequests[Kind],
  scope: MediaScope,
  watch: Watch,
): Promise<Beginning> {
  const passedOver: string[] = [];
  for (const candidate of candidates) {
    const { provider } = candidate.access;
    await changeTask(task, { provider: provider.id, model: candidate.model, status: "submitting" });
    watch.progress(`Asking ${provider.title}`);
    try {
      const maker = makerOf<Kind>(candidate, task.kind as Kind);
      const begun = await withinLimits(() => maker.begin(request, candidate.model, clientOf(candidate, scope, watch)), watch.signal);
      if ("handle" in begun) await changeTask(task, { status: "running", handle: begun.handle });
      return { candidate, begun, passedOver };
    } catch (error) {
      watch.signal.throwIfAborted();
      if (!(error instanceof MediaFault)) throw error;
      const sentence = `${provider.title} ${ended(error.message)}`;
      if (error.outcome === "unknown") throw await failed(task, `${sentence} ${mayHaveBeenPaid}`);
      passedOver.push(sentence);
    }
  }
  const only = candidates.length === 1 ? "" : `No provider could make ${kindWords[task.kind].one}. `;
  throw await failed(task, `${only}${passedOver.join(" ")}`);
}

const mayHaveBeenPaid = "It may have made and charged the work, so nobody was asked again. Ask the user before you repeat the call.";

/** Repeats a request that was refused because of too many requests, when the pause is short. */
async function withinLimits<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = error instanceof MediaFault && error.outcome === "refused" ? error.retryAfterSeconds : null;
      if (seconds === null || seconds > maxRetryAfterSeconds || attempt === limitAttempts) throw error;
      await sleep(seconds * 1_000, undefined, { signal });
    }
  }
}

/** Asks how far the work is, with growing pauses, until it is done. */
async function waitFor(task: MediaTaskRow, begunWith: JsonObject, candidate: Candidate, scope: MediaScope, watch: Watch) {
  const { poll, goOn } = makerOf(candidate, task.kind);
  const { title } = candidate.access.provider;
  const client = clientOf(candidate, scope, watch);
  if (!poll) throw new Error(`${title} has no way to ask for its work`);
  let handle = begunWith;
  let failures = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)) {
    try {
      const polled = await poll(handle, client);
      failures = 0;
      if (polled.state === "done") return polled;
      if (polled.state === "next") {
        if (!goOn) throw new Error(`${title} has no second part`);
        await changeTask(task, { status: "submitting" });
        handle = await goOn(polled.handle, client);
        await changeTask(task, { status: "running", handle });
        continue;
      }
      watch.progress(`${title}: ${polled.progress ?? "working"}`);
    } catch (error) {
      await cancelIfStopped(task, handle, candidate, scope, watch);
      watch.signal.throwIfAborted();
      if (!(error instanceof MediaFault)) throw error;
      failures += 1;
      const sentence = `${title} ${ended(error.message)}`;
      if (!error.mayRecover) throw await failed(task, sentence);
      if (failures >= maxFailedPolls) throw new AppError("unavailable", `${sentence} Ask again with action status and taskId ${task.id}.`);
      watch.progress(`${title} does not answer; asking again`);
    }
    await sleep(pauseMs, undefined, { signal: watch.signal }).catch(() => {});
    await cancelIfStopped(task, handle, candidate, scope, watch);
    watch.signal.throwIfAborted();
  }
}

const cancelMs = 5_000;

/** Tells the provider that a person stopped the work. A provider that does not listen changes nothing. */
async function cancelIfStopped(task: MediaTaskRow, handle: JsonObject, candidate: Candidate, scope: MediaScope, { signal }: Watch) {
  const { cancel } = makerOf(candidate, task.kind);
  if (!signal.aborted || !cancel || !(await isStopped(task))) return;
  const client = openClient(candidate.access, AbortSignal.timeout(cancelMs), scope.privateHosts);
  await cancel(handle, client).catch((error: unknown) => log().debug({ err: error, taskId: task.id }, "a media task was not cancelled"));
  await changeTask(task, { status: "failed", error: "A person stopped the task." });
}

async function finish(task: MediaTaskRow, made: Parameters<typeof collectFiles>[0], candidate: Candidate, scope: MediaScope, watch: Watch) {
  try {
    const files = await collectFiles(made, { kind: task.kind, client: clientOf(candidate, scope, watch), ...watch });
    await changeTask(task, { status: "succeeded" });
    return files;
  } catch (error) {
    watch.signal.throwIfAborted();
    if (!(error instanceof MediaFault)) throw error;
    throw await failed(task, `${candidate.access.provider.title} ${ended(error.message)}`);
  }
}

async function failed(task: MediaTaskRow, sentence: string): Promise<AppError> {
  await changeTask(task, { status: "failed", error: sentence });
  return new AppError("unavailable", sentence);
}

const toAppError = (error: unknown, { access }: Candidate): unknown =>
  error instanceof MediaFault ? new AppError("unavailable", `${access.provider.title} ${ended(error.message)}`) : error;

const ended = (words: string): string => (/[.!?”]$/.test(words) ? words : `${words}.`);

function makerOf<Kind extends MediaKind>({ access }: Candidate, kind: Kind): Maker<MediaRequests[Kind]> {
  const maker = access.provider.makers[kind];
  if (!maker) throw new Error(`${access.provider.title} makes no ${kindWords[kind].many}`);
  return maker as Maker<MediaRequests[Kind]>;
}

const clientOf = ({ access }: Candidate, { privateHosts }: MediaScope, { signal }: Watch): MediaClient =>
  openClient(access, signal, privateHosts);
