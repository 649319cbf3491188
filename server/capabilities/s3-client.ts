import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { sha256 } from "@/server/platform/crypto";
import { AppError, isAppError, messageOf } from "@/server/platform/errors";

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket stands in the path, as most stores want it, and not in the host's name. */
  forcePathStyle: boolean;
};

/** Milliseconds: for the headers of an answer, before the second attempt, between two pieces of a body. */
export type S3Patience = { answerMs: number; pauseMs: number; pieceMs: number };

export type S3Request = {
  method: "GET" | "PUT";
  /** Empty: the bucket itself. */
  key: string;
  query?: string;
  body?: Uint8Array;
  headers?: Record<string, string>;
  attempts?: number;
};

/** An answer whose body is still to be read; `stop` ends its connection. */
export type S3Answer = { response: Response; stop: AbortController };

/** A request that got an answer other than yes. */
export type S3Refusal = { status: number; code: string };

const defaultAttempts = 3;
/** An upload that is slower than this is given up and tried again. */
const slowestUploadBytesPerMs = 256;
const maxErrorCharacters = 16_384;
const emptySha256 = sha256("");

/**
 * Signed requests to one bucket. Every request of ours may be repeated without harm, so those that met a network fault
 * or a busy store are, a little later. @throws AppError `unavailable` with a sentence for operators, no secret in it.
 */
export function s3Client(settings: S3Settings, patience: S3Patience) {
  const bucketUrl = bucketUrlOf(settings);

  const attempt = async ({ method, key, query = "", body, headers }: S3Request): Promise<S3Answer> => {
    const { region, accessKeyId, secretAccessKey } = settings;
    // The hash of the body is part of what is signed: a store that receives other bytes refuses them.
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
      // Not followed: no answer chooses where our bytes go.
      const init = { method, headers: signed.headers, signal: stop.signal, redirect: "manual" as const };
      return { response: await fetch(signed.url, body ? { ...init, body: new Uint8Array(body) } : init), stop };
    } finally {
      clearTimeout(timer);
    }
  };

  /** The answer when it is a yes, or the refusal when trying again would not change it. */
  return async function request(s3Request: S3Request): Promise<S3Answer | S3Refusal> {
    const { attempts = defaultAttempts } = s3Request;
    for (let count = 1; ; count += 1) {
      const isLast = count >= attempts;
      try {
        const answer = await attempt(s3Request);
        if (answer.response.ok) return answer;
        const refusal = await refusalIn(answer);
        if (isLast || !mayChange(refusal)) return refusal;
      } catch (error) {
        if (isLast) throw unavailable(error);
      }
      await wait(patience.pauseMs * 4 ** (count - 1) * (0.5 + Math.random() / 2), undefined, { ref: false });
    }
  };
}

/** What an S3 store means by a refusal, in words. */
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

/** A fault between us and the store, in words. */
export function unavailable(error: unknown): AppError {
  if (isAppError(error)) return error;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : messageOf(cause);
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
    // The status says enough.
  } finally {
    stop.abort();
  }
  return { status: response.status, code: /<Code>(\w{1,80})<\/Code>/.exec(text)?.[1] ?? "" };
}

/** Address of a bucket, without a slash at its end. */
export function bucketUrlOf({ endpoint, bucket, forcePathStyle }: Pick<S3Settings, "endpoint" | "bucket" | "forcePathStyle">): string {
  const url = new URL(endpoint);
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const base = url.href.replace(/\/+$/, "");
  return forcePathStyle ? `${base}/${bucket}` : base;
}
