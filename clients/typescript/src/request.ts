export type Connection = {
  /** Address of Handrail without a path: "https://handrail.example". */
  url: string;
  apiKey: string;
  /** Replaces the global fetch. */
  fetch?: typeof fetch;
};

/** Handrail refused the request. `message` says what to do next. */
export class HandrailError extends Error {
  override name = "HandrailError";
  constructor(
    message: string,
    /** HTTP status. */
    readonly status: number,
    /** Machine-readable reason, such as "not_found" or "too_many_requests". */
    readonly code: string,
  ) {
    super(message);
  }
}

export type RequestOptions = {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
};

const maxAttempts = 6;
const maxPauseMs = 30_000;

/**
 * Sends a request, and repeats it after a 429, a 503 or a lost connection when that is safe. Retry-After is respected.
 * @throws HandrailError when Handrail refuses, or what fetch throws when Handrail cannot be reached
 */
export async function request(connection: Connection, path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", idempotencyKey, signal } = options;
  const isRepeatable = method === "GET" || idempotencyKey !== undefined;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === maxAttempts;
    const response = await send(connection, path, options).catch((error) => {
      if (isLast || !isRepeatable || signal?.aborted) throw error;
      return null;
    });
    if (response?.ok) return response;
    // Handrail did nothing yet when it answers 429, so every request may be repeated then.
    const mayRepeat = response === null || response.status === 429 || (response.status === 503 && isRepeatable);
    if (response && (isLast || !mayRepeat)) throw await toError(response);
    await pause(pauseAfter(response, attempt), signal);
  }
}

function send({ url, apiKey, fetch = globalThis.fetch }: Connection, path: string, options: RequestOptions): Promise<Response> {
  const { method = "GET", body, idempotencyKey, signal = null } = options;
  return fetch(new URL(`/api/v1${path}`, url), {
    method,
    signal,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function toError(response: Response): Promise<HandrailError> {
  const problem = await response.json().catch(() => ({}));
  return new HandrailError(problem.detail ?? `Handrail answered ${response.status}.`, response.status, problem.code ?? "unknown");
}

/** Milliseconds: what the server asks for, else twice as long each time. */
function pauseAfter(response: Response | null, attempt: number): number {
  const asked = Number(response?.headers.get("retry-after"));
  return Math.min(asked > 0 ? asked * 1_000 : 250 * 2 ** attempt, maxPauseMs);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
