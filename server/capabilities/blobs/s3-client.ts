import "server-only";
import { AwsV4Signer } from "aws4fetch";
import { sha256 } from "@/server/platform/crypto";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { retry } from "@/server/platform/retry";

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket stands in the URL's path, as most stores expect, not in the host name. */
  forcePathStyle: boolean;
};

/** Timeouts in milliseconds: for the response headers, before the second attempt, and between two chunks of a body. */
export type S3Patience = { answerMs: number; pauseMs: number; pieceMs: number };

export type S3Request = {
  method: "GET" | "PUT" | "DELETE";
  /** Object key; empty for the bucket itself. */
  key: string;
  query?: string;
  body?: Uint8Array;
  headers?: Record<string, string>;
  attempts?: number;
};

/** A response whose body is not read yet; `stop` ends its connection. */
export type S3Answer = { response: Response; stop: AbortController };

/** An error response of the store. */
export type S3Refusal = { status: number; code: string };

const defaultAttempts = 3;
/** A slower upload is aborted and retried. */
const slowestUploadBytesPerMs = 256;
const maxErrorCharacters = 16_384;
const emptySha256 = sha256("");

/**
 * Returns a function for signed requests to one bucket. All our requests are idempotent, so a request that failed through
 * the network or a busy store is retried after a pause.
 * @throws AppError `unavailable` with a sentence for operators, no secret in it.
 */
export function s3Client(settings: S3Settings, patience: S3Patience) {
  const bucketUrl = makeBucketUrl(settings);

  const attempt = async ({ method, key, query = "", body, headers }: S3Request): Promise<S3Answer> => {
    const { region, accessKeyId, secretAccessKey } = settings;
    // The signature covers the body's hash, so a store that receives other bytes refuses the request.
    const signed = await new AwsV4Signer({
      method,
      url: `${bucketUrl}${key && `/${key}`}${query}`,
      headers: { "x-amz-content-sha256": body ? sha256(body) : emptySha256, ...headers },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
    }).sign();
    const stop = new AbortController();
    const limitMs = patience.answerMs + (body?.byteLength ?? 0) / slowestUploadBytesPerMs;
    const timer = setTimeout(() => stop.abort(new Error(`it did not answer within ${Math.round(limitMs / 1_000)} seconds`)), limitMs);
    try {
      // Redirects are not followed, because a response must not choose where our bytes go.
      const init = { method, headers: signed.headers, signal: stop.signal, redirect: "manual" as const };
      return { response: await fetch(signed.url, body ? { ...init, body: new Uint8Array(body) } : init), stop };
    } finally {
      clearTimeout(timer);
    }
  };

  /** Returns a successful response, or a refusal that a retry would not change. */
  return async function request(s3Request: S3Request): Promise<S3Answer | S3Refusal> {
    const ask = async () => {
      const answer = await attempt(s3Request);
      if (answer.response.ok) return answer;
      const refusal = await refusalIn(answer);
      if (mayChange(refusal)) throw new Busy(refusal);
      return refusal;
    };
    const { pauseMs } = patience;
    const pauses = { firstPauseMs: pauseMs, maxPauseMs: Number.POSITIVE_INFINITY, factor: 4, keepsAlive: false };
    try {
      return await retry(ask, { attempts: s3Request.attempts ?? defaultAttempts, ...pauses });
    } catch (error) {
      if (error instanceof Busy) return error.refusal;
      throw unavailable(error);
    }
  };
}

/** A refusal that a retry may change. */
class Busy extends Error {
  constructor(readonly refusal: S3Refusal) {
    super(`the store answered ${refusal.status}`);
  }
}

/** Turns the store's refusal into a sentence for operators. */
export function refused({ status, code }: S3Refusal): AppError {
  const sentence =
    code === "NoSuchBucket"
      ? "its bucket does not exist. Make it, or correct HANDRAIL_BLOBS_S3_BUCKET."
      : status === 401 || status === 403
        ? `it refuses our key (${code || status}). Check HANDRAIL_BLOBS_S3_ACCESS_KEY_ID, its secret, its rights and the clock.`
        : status === 301 || status === 307
          ? "it sends us elsewhere. Check HANDRAIL_BLOBS_S3_ENDPOINT and HANDRAIL_BLOBS_S3_REGION."
          : `it answered with ${status}${code ? ` (${code})` : ""}.`;
  return new AppError("unavailable", `The blob store cannot be used: ${sentence}`);
}

/** Turns a network fault into a sentence for operators. */
export function unavailable(error: unknown): AppError {
  if (isAppError(error)) return error;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : toErrorMessage(cause);
  return new AppError("unavailable", `The blob store does not answer: ${code}. Check HANDRAIL_BLOBS_S3_ENDPOINT and the network.`, {
    cause: error,
  });
}

function mayChange({ status, code }: S3Refusal): boolean {
  return status === 429 || status >= 500 || code === "RequestTimeout";
}

async function refusalIn({ response, stop }: S3Answer): Promise<S3Refusal> {
  let text = "";
  try {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.length > maxErrorCharacters) break;
    }
  } catch {
    // The body is unreadable, but the status says enough.
  } finally {
    stop.abort();
  }
  return { status: response.status, code: /<Code>(\w{1,80})<\/Code>/.exec(text)?.[1] ?? "" };
}

/** Returns the address of a bucket, without a trailing slash. */
export function makeBucketUrl({ endpoint, bucket, forcePathStyle }: Pick<S3Settings, "endpoint" | "bucket" | "forcePathStyle">): string {
  const url = new URL(endpoint);
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const base = url.href.replace(/\/+$/, "");
  return forcePathStyle ? `${base}/${bucket}` : base;
}
