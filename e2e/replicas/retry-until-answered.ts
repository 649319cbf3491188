import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../caller";

/** Answers that clients have received so far. */
export type RetryLog = { answers: Record<string, number>; complaints: string[] };

type Init = RequestInit & {
  /** Refusals that are answers too. */
  mayBe?: number[];
};

const patienceMs = 240_000;
/** A request of ours asks to wait for 10 s at most; on a machine where many processes start at once, the rest takes long too. */
const maxAnswerMs = 60_000;
const pauseMs = 150;

/**
 * Sends a request until it is answered, as a client does that must not lose anything: again when the connection breaks,
 * when the proxy finds nobody (502), and when it is asked to come again (429, 503). Any other refusal is a complaint.
 */
export async function retryUntilAnswered(caller: Caller, seen: RetryLog, path: string, { mayBe = [], ...init }: Init = {}) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await attempt(caller, path, init);
    const kind = answer.status === null ? "broken" : String(answer.status);
    seen.answers[kind] = (seen.answers[kind] ?? 0) + 1;
    const { status } = answer;
    if (status !== null && (status < 300 || mayBe.includes(status))) return { status, body: answer.body };
    const complaint = complaintAbout(answer);
    if (complaint) seen.complaints.push(`${init.method ?? "GET"} ${path}: ${complaint}`);
    if (Date.now() > deadline) throw new Error(`${path} was not answered within ${patienceMs / 1_000} s; the last was ${kind}`);
    await pause(pauseMs);
  }
}

type Attempt = { status: number | null; headers: Headers; body: unknown; text: string; isLate: boolean };

async function attempt(caller: Caller, path: string, init: RequestInit): Promise<Attempt> {
  const timeout = AbortSignal.timeout(maxAnswerMs);
  try {
    const response = await caller.fetch(path, { ...init, signal: timeout });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text, isLate: false };
  } catch {
    return { status: null, headers: new Headers(), body: null, text: "", isLate: timeout.aborted };
  }
}

function complaintAbout({ status, headers, text, isLate }: Attempt): string | null {
  if (isLate) return `no answer within ${maxAnswerMs / 1_000} s`;
  // Broken off, or nobody behind the proxy.
  if (status === null || status === 502) return null;
  if (status !== 429 && status !== 503) return `answered ${status}: ${text.slice(0, 300)}`;
  if (!headers.get("content-type")?.includes("application/problem+json")) return `${status} is no problem document: ${text.slice(0, 300)}`;
  if (!/^\d+$/.test(headers.get("retry-after") ?? "")) return `${status} does not say when to come again`;
  return /\bat .+:\d+/.test(text) ? `${status} shows a stack: ${text.slice(0, 300)}` : null;
}
