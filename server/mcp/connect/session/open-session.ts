import "server-only";
import { Client, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { AppError, isAppError } from "@/server/platform/errors";
import { version } from "@/server/platform/version";
import { maskInText } from "@/server/secrets/mask-secrets";
import type { Challenge } from "../authorization/discover";
import { listUpstreamTools } from "../listing/list-upstream-tools";
import { cureSentence } from "../program/find-cures";
import { RunningCalls } from "../questions/running-calls";
import { sampleFor } from "../questions/sample";
import { findUnexpected } from "../settings/check-expectations";
import { withoutSecrets } from "../settings/secret-values";
import type { ServerSettings } from "../settings/server-settings";
import { cleanLine, cleanText } from "../text/clean-text";
import type { ServerLog } from "../transport/server-log";
import { makeServerTransport, type ServerTransport } from "../transport/server-transport";
import { CompletedPages } from "./completed-pages";
import { explainFailure, findSystemCode, isAnswer } from "./explain-failure";
import { capabilities } from "./own-capabilities";
import { ServerChanges } from "./server-changes";
import { type Era, makeSession, type Session, sendsHeaders } from "./session";

/** Outcome of an attempt to connect. */
export type Opening =
  | { ok: true; session: Session }
  /** `isFinal`: a retry cannot help until the settings change. `signIn`: a person must sign in, and what the server asks for. */
  | { ok: false; error: string; stderr: string | null; isFinal: boolean; latencyMs: number; signIn?: Challenge; cures?: McpCure[] };

type Attempt = { ok: true; session: Session } | { ok: false; cause: unknown };

const clientInfo = { name: "handrail", title: "Handrail", version };
/** Longest wait for a program's answer in the newer protocol, before the older protocol is tried. */
const maxProbeMilliseconds = 10_000;
const maxErrorCharacters = 1_000;
const maxStderrCharacters = 4_000;

/**
 * Connects to a server and lists its tools. A failure is returned as a sentence, and a failed attempt leaves no process or
 * connection behind. `era`: the protocol era of the last session, which saves the probe.
 */
export async function openSession(
  settings: ServerSettings,
  { signal, era = null, log = null }: { signal: AbortSignal; era?: Era | null; log?: ServerLog | null },
): Promise<Opening> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(settings.connectTimeoutSeconds * 1_000);
  const either = AbortSignal.any([signal, timeout]);
  const tryAs = async (as: Era | null) => {
    const calls = new RunningCalls(
      mayAskModels(settings) ? sampleFor({ workspaceId: settings.workspaceId ?? "", alias: settings.alias }) : null,
    );
    const link = await makeServerTransport(settings, (params) => {
      log?.add(params);
      calls.log(params);
    });
    return { link, attempt: await take(settings, { link, calls }, either, as) };
  };
  let tried: Awaited<ReturnType<typeof tryAs>>;
  try {
    tried = await tryAs(era);
    const { attempt, link } = tried;
    const isProbed = !attempt.ok && era !== "legacy" && !either.aborted && !link.stdio?.fault && mayBeLegacy(attempt.cause);
    // A server that wants a sign-in first says nothing about its protocol.
    if (isProbed && !(await link.refusal())) tried = await tryAs("legacy");
  } catch (error) {
    // A busy machine may have no sandbox at this moment; wrong settings stay wrong.
    const isPassing = isAppError(error) && error.code === "unavailable";
    return { ok: false, error: explainFailure(error), stderr: null, isFinal: !isPassing, latencyMs: 0 };
  }
  const { attempt, link } = tried;
  if (attempt.ok) return attempt;
  const refusal = either.aborted ? null : await link.refusal();
  if (refusal) {
    const signIn = refusal.challenge ? { signIn: refusal.challenge } : {};
    return { ok: false, error: refusal.sentence, stderr: null, isFinal: true, latencyMs: elapsed(startedAt), ...signIn };
  }
  const error = timeout.aborted
    ? `The server did not answer within ${settings.connectTimeoutSeconds} seconds.`
    : explainAttempt(settings, link, attempt.cause);
  const cures = link.stdio?.findCures() ?? [];
  return {
    ok: false,
    error: cleanLine(
      withoutSecrets(maskInText([error, cureSentence(cures), ...(link.stdio?.faults ?? [])].join(" ")), link.secrets),
      maxErrorCharacters,
    ),
    cures,
    stderr: shownStderr(link),
    isFinal: false,
    latencyMs: elapsed(startedAt),
  };
}

const elapsed = (since: number): number => Math.round(performance.now() - since);

const mayAskModels = ({ allowSampling, workspaceId }: ServerSettings): boolean => allowSampling === true && workspaceId !== undefined;

async function take(
  settings: ServerSettings,
  { link, calls }: { link: ServerTransport; calls: RunningCalls },
  signal: AbortSignal,
  era: Era | null,
): Promise<Attempt> {
  const { transport, stdio } = link;
  const startedAt = performance.now();
  const timeout = settings.connectTimeoutSeconds * 1_000;
  const changes = new ServerChanges();
  // In the older protocol the capabilities are those of the session, so a server is told what a call's client may answer.
  const maySample = mayAskModels(settings) || settings.questions === "client_first";
  const client = new Client(clientInfo, {
    capabilities: maySample ? { ...capabilities, sampling: {} } : capabilities,
    versionNegotiation: { mode: "auto", probe: { timeoutMs: stdio ? Math.min(maxProbeMilliseconds, timeout / 2) : timeout } },
    listChanged: changes.handlers(),
  });
  changes.attach(client);
  const pages = new CompletedPages();
  pages.attach(client);
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => calls.elicit(params, mcpReq.signal));
  if (maySample) client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) => calls.sample(params, mcpReq.signal));
  client.setRequestHandler("roots/list", ({ params }, { mcpReq }) => calls.roots(mcpReq.signal, undefined, params?._meta));
  // The probe and a starting program ignore the signal, but both notice a closed transport.
  const giveUp = () => void transport.close().catch(() => {});
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    signal.throwIfAborted();
    const isLegacy = era === "legacy" || settings.transport === "sse";
    await client.connect(transport, { signal, timeout, ...(isLegacy ? { prior: { kind: "legacy" } } : {}) });
    const listing = await listUpstreamTools(client, {
      serverName: settings.alias,
      signal,
      timeout,
      sendsHeaders: sendsHeaders(client, link),
    });
    signal.throwIfAborted();
    const unexpected = findUnexpected(settings, { serverInfo: client.getServerVersion() ?? null, tools: listing.tools });
    if (unexpected) throw new AppError("conflict", unexpected);
    const latencyMs = Math.round(performance.now() - startedAt);
    const parts = {
      ...{ alias: settings.alias, client, link, listing, latencyMs, changes, calls, pages },
      stderr: () => shownStderr(link),
      mayAskModels: mayAskModels(settings),
    };
    return { ok: true, session: makeSession(parts) };
  } catch (cause) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    return { ok: false, cause };
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** Tells whether a failure suggests an older server: some stop or answer nonsense when the first message is a probe. */
function mayBeLegacy(cause: unknown): boolean {
  return SdkError.isInstance(cause) && cause.code === SdkErrorCode.EraNegotiationFailed && findSystemCode(cause) === null;
}

function explainAttempt({ command }: ServerSettings, { stdio }: ServerTransport, cause: unknown): string {
  if (isAppError(cause)) return cause.message;
  if (stdio?.fault) return stdio.fault.message;
  if (stdio?.isCommandMissing) {
    return `The command ${command} was not found. Check its spelling, and that it is installed where Handrail runs.`;
  }
  // A server that answered did not stop by itself: Handrail closed the connection because of the answer.
  if (isAnswer(cause)) return explainFailure(cause);
  if (stdio?.ending) return `The server stopped (${stdio.ending}) before it was ready.`;
  if (stdio && stdio.pid === null) {
    const code = findSystemCode(cause);
    if (code === "ENOENT") return `The command ${command} was not found. Check its spelling, and that it is installed where Handrail runs.`;
    if (code === "EACCES") return `The command ${command} may not be executed by Handrail's user.`;
  }
  return explainFailure(cause);
}

function shownStderr({ stdio, secrets }: ServerTransport): string | null {
  const text = stdio?.stderr;
  // The beginning is cut, because the end of an error stream matters most.
  return text ? cleanText(withoutSecrets(maskInText(text), secrets).slice(-maxStderrCharacters), maxStderrCharacters) || null : null;
}
