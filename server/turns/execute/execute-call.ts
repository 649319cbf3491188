import "server-only";
import type { Json, JsonObject } from "@/contracts/common";
import { countUse } from "@/server/approvals/grants/count-use";
import { type CallScope, createCapabilities } from "@/server/capabilities/define-capability";
import type { RecordChanges } from "@/server/capabilities/files/change-journal";
import type { KeepCopies } from "@/server/capabilities/keep-copies";
import { registryRoutes } from "@/server/capabilities/package-registries/registry-routes";
import { isSensitiveKind } from "@/server/capabilities/sandbox/folder-listings";
import type { ProxyEvent } from "@/server/capabilities/sandbox/network/host-proxy";
import { approveStartupFiles } from "@/server/capabilities/sandbox/startup-files";
import { areCommandsEnded } from "@/server/capabilities/shell/running-commands";
import { contactFileFinder } from "@/server/contacts/files/contact-files";
import { artifactOpener } from "@/server/conversations/artifacts";
import { makeChangeRecorder } from "@/server/conversations/file-changes/record-changes";
import { makeCopyKeeper } from "@/server/conversations/file-copies/keep-file-copies";
import { runsCommands } from "@/server/guard/call/tool-facts";
import { onlyReads } from "@/server/guard/effects/effect-boundaries";
import { unsealOrNull } from "@/server/platform/crypto";
import { isAppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { ResultMask } from "@/server/secrets/mask-result";
import type { ProgressStep } from "@/server/tools/calling-client";
import { isRichResult, type PersonQuestion, type Steps, type ToolResult } from "@/server/tools/define-tool";
import { isGroupChannel } from "@/server/tools/disclosure/shape-by-channel";
import { describeAndNote, documentTool } from "@/server/tools/document-tool";
import { enableTool } from "@/server/tools/enable-tool";
import { searchTools } from "@/server/tools/search/search-tools";
import { changedPaths, copied } from "../decide/folder-facts";
import { approvedHosts, fileKinds, networkFor, openingsFor, privateHosts } from "../decide/sandbox-openings";
import { runAfterHooks } from "../hooks/after-hooks";
import { type Outcome, sentences } from "../outcome";
import { findResultLimits } from "../result-limits";
import type { ReadyCall } from "../step-data";
import type { TurnContext } from "../turn-context";
import { callerOfCall } from "./caller-of-call";
import { hostCollector } from "./host-collector";
import { maskOutcome, maskQuestion, maskSteps } from "./mask-outcome";
import { makeOverwriteGuard } from "./overwrite-guard";
import { pausableTimeout } from "./pausable-timeout";

export type Execution = {
  /** Aborts when somebody stops the call. */
  stopped: AbortSignal;
  timeoutMs: number;
  traceparent?: string;
  /** Receives progress lines for people. */
  progress: (message: string) => void;
  /** Runs a stateful tool and answers its questions, until the call is over. */
  walk: (steps: Steps, over: AbortSignal) => Promise<ToolResult>;
  /** Asks a person a question of a direct tool; absent where nobody can be asked. */
  ask?: (question: PersonQuestion, over: AbortSignal) => Promise<string>;
  /** Does without the call's slot while work elsewhere is awaited. */
  withoutSlot?: <T>(wait: () => Promise<T>, over: AbortSignal) => Promise<T>;
};

/**
 * Runs one decided call and the hooks after it, with its own time limit and abort signal. The call has exactly one
 * outcome whether the tool answers, throws, hangs or ignores its signal, and never affects other calls.
 */
export async function executeCall(context: TurnContext, call: ReadyCall, execution: Execution): Promise<Outcome> {
  const connections = hostCollector();
  const performed = await perform(context, call, execution, connections.note);
  // Masked before the hooks run, because hooks send, record and keep what they see.
  const masked = context.results.maskSecrets ? await maskOutcome(performed, call.registered.name) : performed;
  const outcome = await runAfterHooks(context, call, masked);
  const network = connections.hosts();
  return { ...outcome, limits: findResultLimits(context, call.registered), ...(network ? { network } : {}) };
}

async function perform(
  context: TurnContext,
  call: ReadyCall,
  execution: Execution,
  onConnection: (event: ProxyEvent) => void,
): Promise<Outcome> {
  const { row, tool, registered } = call;
  const { stopped, timeoutMs, walk, ask, withoutSlot } = execution;
  const meta = openMeta(row);
  const { maskSecrets } = context.results;
  const progress = (message: string, step?: ProgressStep) => {
    const shown = maskSecrets ? new ResultMask().maskLine(message) : message;
    execution.progress(shown);
    caller?.progress(shown, step);
  };
  // The call may have been stopped while it waited for a slot, and not every tool checks its signal before it acts.
  if (stopped.aborted) return { callId: row.id, status: "cancelled", text: sentences.cancelled(registered.name) };
  if (call.decision.grantId) await countUse(call.decision.grantId);
  const ended = new AbortController();
  const left = new AbortController();
  // A question that is open when the call ends is taken back, whatever the end: nobody would use its answer.
  const over = AbortSignal.any([ended.signal, left.signal]);
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  givenUp.catch(() => {});
  let isTimedOut = false;
  let isOver = false;
  const end = (reason: Error) => {
    ended.abort(reason);
    giveUp(reason);
  };
  const stop = () => end(new Error("the call was stopped"));
  const limit = pausableTimeout(timeoutMs, () => {
    isTimedOut = true;
    end(new Error("the time of the call is up"));
  });
  stopped.addEventListener("abort", stop);
  const caller = callerOfCall(context, call, (wait) => limit.during(() => (withoutSlot ? withoutSlot(wait, ended.signal) : wait())));
  try {
    const running = tool.run(call.arguments, {
      ...createCapabilities(tool.capabilities ?? [], callScopeOf(context, call, onConnection)),
      signal: ended.signal,
      timeoutMs,
      mayRepeat: registered.idempotent,
      origin: {
        workspaceId: context.conversation.workspaceId,
        conversationId: context.conversation.id,
        requestedBy: context.turn.requestedBy,
      },
      ...(ask ? { ask: (question: PersonQuestion) => limit.during(() => ask(maskQuestion(question, maskSecrets), over)) } : {}),
      standStill: limit.during,
      ...(withoutSlot ? { waitElsewhere: <T>(wait: () => Promise<T>) => limit.during(() => withoutSlot(wait, ended.signal)) } : {}),
      ...(execution.traceparent ? { traceparent: execution.traceparent } : {}),
      ...(meta ? { meta } : {}),
      ...(caller ? { client: caller.client } : {}),
      // An abandoned tool reports no more progress.
      progress: (message, step) => {
        if (!isOver) progress(message, step);
      },
    });
    // The race abandons a tool that ignores its signal.
    const result = await Promise.race([
      isSteps(running) ? walk(maskSecrets ? maskSteps(running) : running, ended.signal) : running,
      givenUp,
    ]);
    // A stopping server kills commands that do not end in time, so the shell's answer is not the command's outcome.
    if (shutdownSignal().aborted && areCommandsEnded() && runsCommands(tool)) {
      return { callId: row.id, status: "interrupted", text: sentences.interrupted(registered.name) };
    }
    return { ...succeeded(row.id, result), neverSpilled: tool.neverSpilled };
  } catch (error) {
    if (stopped.aborted) return { callId: row.id, status: "cancelled", text: sentences.cancelled(registered.name) };
    if (isTimedOut) return { callId: row.id, status: "timed_out", text: sentences.timedOut(registered.name, timeoutMs) };
    return failureOf(call, error);
  } finally {
    isOver = true;
    left.abort(new Error("the call has ended"));
    caller?.ended();
    limit.clear();
    stopped.removeEventListener("abort", stop);
  }
}

function failureOf({ row, registered }: ReadyCall, error: unknown): Outcome {
  if (isAppError(error)) return { callId: row.id, status: "failed", text: error.message };
  log().warn({ err: error, tool: registered.name, callId: row.id }, "a tool failed unexpectedly");
  return { callId: row.id, status: "failed", text: sentences.broken(registered.name, toErrorMessage(error)) };
}

function callScopeOf(context: TurnContext, call: ReadyCall, onConnection: (event: ProxyEvent) => void): CallScope {
  const { turn, conversation, scope, policy, folder } = context;
  const classify = fileKinds(policy);
  // Its own command may run beside others, at whose end new startup files are set aside.
  approveStartupFiles(openingsFor(context, call.decision).writable);
  const recordChanges = makeChangeRecorder({
    ...{ workspaceId: conversation.workspaceId, conversationId: conversation.id, callId: call.row.id, actor: turn.requestedBy, folder },
    isSensitive: (relativePath) => isSensitiveKind(classify(relativePath)),
  });
  return {
    workspaceId: conversation.workspaceId,
    conversationId: conversation.id,
    callId: call.row.id,
    actor: turn.requestedBy,
    folder,
    inBackground: call.inBackground,
    classify,
    mayReplace: makeOverwriteGuard(context),
    recordChanges,
    openArtifact: artifactOpener(conversation),
    findRowFile: contactFileFinder({
      ...{ workspaceId: conversation.workspaceId, folder, actor: turn.requestedBy, requestId: call.row.id },
      isGroup: isGroupChannel(conversation.channel),
    }),
    keepCopies: copyKeeper(context, call, recordChanges),
    openings: () => openingsFor(context, call.decision),
    network: () =>
      networkFor(policy, {
        registries: () => registryRoutes(conversation.workspaceId),
        onConnection,
        approved: approvedHosts(policy, call),
      }),
    privateHosts: () => privateHosts(policy),
    approvedHosts: () => approvedHosts(policy, call),
    enableTool: (toolName) => enableTool(conversation, scope, turn.requestedBy, toolName),
    searchTools: (query, limit) => searchTools(conversation.workspaceId, scope, query, limit),
    describeTool: (toolName) => describeAndNote(conversation, scope, toolName),
    documentTool: (toolName) => documentTool(conversation, scope, toolName),
  };
}

/** Reading commands need no copies. */
function copyKeeper({ conversation, policy, folder }: TurnContext, { row, decision }: ReadyCall, recordChanges: RecordChanges): KeepCopies {
  const { effects = [] } = decision;
  if (effects.every(onlyReads)) return async () => async () => [];
  const copiedFolder = { conversationId: conversation.id, callId: row.id, root: folder, ...copied(fileKinds(policy)) };
  return makeCopyKeeper(copiedFolder, changedPaths(effects), recordChanges);
}

/** Returns the `_meta` of a call's request; null without any, and when it was sealed with another key. */
function openMeta({ sealedMeta }: ReadyCall["row"]): JsonObject | null {
  const opened = sealedMeta === null ? null : unsealOrNull(sealedMeta);
  return opened === null ? null : JSON.parse(opened);
}

function isSteps(running: Promise<ToolResult> | Steps): running is Steps {
  return Symbol.asyncIterator in running;
}

function succeeded(callId: string, result: ToolResult): Outcome {
  if (!isRichResult(result)) return { callId, status: "succeeded", text: resultText(result) };
  const { text, isError = false, isTimedOut = false, isAnswer = false, sections } = result;
  const { structuredContent, files, resources, links, blocks, meta } = result;
  return {
    callId,
    status: !isError ? "succeeded" : isTimedOut ? "timed_out" : "failed",
    text,
    ...(isAnswer ? { isAnswer } : {}),
    ...(sections ? { sections } : {}),
    ...(structuredContent ? { structuredContent } : {}),
    ...(files ? { files } : {}),
    ...(resources ? { resources } : {}),
    ...(links ? { links } : {}),
    ...(blocks ? { blocks } : {}),
    ...(meta ? { meta } : {}),
  };
}

function resultText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
