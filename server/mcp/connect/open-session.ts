import "server-only";
import { Client, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { maskInText } from "@/server/audit/mask-secrets";
import { cleanLine, cleanText } from "./clean-text";
import { explainFailure, systemCodeOf } from "./explain-failure";
import { listUpstreamTools } from "./list-upstream-tools";
import { type Link, makeLink } from "./make-link";
import { withoutSecrets } from "./secret-values";
import type { ServerSettings } from "./server-settings";
import { type Era, makeSession, type Session } from "./session";

/** How an attempt to connect ended. */
export type Opening =
  | { ok: true; session: Session }
  /** `isFinal`: trying again cannot help until the settings change. */
  | { ok: false; error: string; stderr: string | null; isFinal: boolean; latencyMs: number };

type Attempt = { ok: true; session: Session } | { ok: false; cause: unknown };

const clientInfo = { name: "handrail", title: "Handrail", version: "0.1.0" };
/** How long a program may stay silent about the newer protocol before it is asked in the older one. */
const longestProbeMilliseconds = 10_000;
const toolsChangedDebounceMilliseconds = 300;
const maxErrorCharacters = 1_000;
const maxStderrCharacters = 4_000;

/**
 * Connects to a server and lists its tools. Whatever goes wrong comes back as a sentence, and nothing of the attempt
 * stays behind. `era`: what the server spoke last time, which saves asking.
 */
export async function openSession(
  settings: ServerSettings,
  { signal, era = null }: { signal: AbortSignal; era?: Era | null },
): Promise<Opening> {
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(settings.connectTimeoutSeconds * 1_000);
  const either = AbortSignal.any([signal, timeout]);
  let link: Link;
  let attempt: Attempt;
  try {
    link = await makeLink(settings);
    attempt = await take(settings, link, either, era);
    if (!attempt.ok && era !== "legacy" && !either.aborted && !link.stdio?.fault && mayBeLegacy(attempt.cause)) {
      link = await makeLink(settings);
      attempt = await take(settings, link, either, "legacy");
    }
  } catch (error) {
    return { ok: false, error: explainFailure(error), stderr: null, isFinal: true, latencyMs: 0 };
  }
  if (attempt.ok) return attempt;
  const error = timeout.aborted
    ? `The server did not answer within ${settings.connectTimeoutSeconds} seconds.`
    : explainAttempt(settings, link, attempt.cause);
  return {
    ok: false,
    error: cleanLine(withoutSecrets(maskInText(error), link.secrets), maxErrorCharacters),
    stderr: shownStderr(link),
    isFinal: false,
    latencyMs: Math.round(performance.now() - startedAt),
  };
}

async function take(settings: ServerSettings, link: Link, signal: AbortSignal, era: Era | null): Promise<Attempt> {
  const { transport, stdio } = link;
  const startedAt = performance.now();
  const timeout = settings.connectTimeoutSeconds * 1_000;
  const toolsChanged = new EventTarget();
  const client = new Client(clientInfo, {
    versionNegotiation: { mode: "auto", probe: { timeoutMs: stdio ? Math.min(longestProbeMilliseconds, timeout / 2) : timeout } },
    listChanged: {
      tools: {
        autoRefresh: false,
        debounceMs: toolsChangedDebounceMilliseconds,
        onChanged: () => toolsChanged.dispatchEvent(new Event("change")),
      },
    },
  });
  // Neither the probe nor a starting program listens to the signal; both notice a closed transport.
  const giveUp = () => void transport.close().catch(() => {});
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    signal.throwIfAborted();
    const isLegacy = era === "legacy" || settings.transport === "sse";
    await client.connect(transport, { signal, timeout, ...(isLegacy ? { prior: { kind: "legacy" } } : {}) });
    const tools = await listUpstreamTools(client, { serverName: settings.alias, signal, timeout });
    signal.throwIfAborted();
    const latencyMs = Math.round(performance.now() - startedAt);
    const parts = { alias: settings.alias, client, link, tools, latencyMs, stderr: () => shownStderr(link), toolsChanged };
    return { ok: true, session: makeSession(parts) };
  } catch (cause) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    return { ok: false, cause };
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** Some older servers end, or answer with nonsense, when the first thing that they hear is not `initialize`. */
function mayBeLegacy(cause: unknown): boolean {
  return SdkError.isInstance(cause) && cause.code === SdkErrorCode.EraNegotiationFailed && systemCodeOf(cause) === null;
}

function explainAttempt({ command }: ServerSettings, { stdio }: Link, cause: unknown): string {
  if (stdio?.fault) return stdio.fault.message;
  if (stdio?.ending) return `The server stopped (${stdio.ending}) before it was ready.`;
  if (stdio && stdio.pid === null) {
    const code = systemCodeOf(cause);
    if (code === "ENOENT") return `The command ${command} was not found. Check its spelling, and that it is installed where Handrail runs.`;
    if (code === "EACCES") return `The command ${command} may not be executed by Handrail's user.`;
  }
  return explainFailure(cause);
}

function shownStderr({ stdio, secrets }: Link): string | null {
  const text = stdio?.stderr;
  // The end matters most, so the beginning is what is cut.
  return text ? cleanText(withoutSecrets(maskInText(text), secrets).slice(-maxStderrCharacters), maxStderrCharacters) || null : null;
}
