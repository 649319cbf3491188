import "server-only";
import { createHash } from "node:crypto";
import { sha256 } from "@/server/platform/crypto";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { type Blobs, blobPath, noSuchBlob } from "./blob-store";
import { refused, type S3Answer, type S3Patience, type S3Settings, s3Client, unavailable } from "./s3-client";

const patient: S3Patience = { answerMs: 8_000, pauseMs: 200, pieceMs: 30_000 };

/**
 * Returns a blob store in a bucket of an S3-compatible service. Each blob is one object named by its hash. Therefore two
 * replicas or a retry may put the same blob twice, and a second put repairs an object that a fault truncated.
 */
export function s3Blobs(settings: S3Settings, patience: S3Patience = patient): Blobs {
  const request = s3Client(settings, patience);
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const answer = await request({
        method: "PUT",
        key: blobPath(hash).join("/"),
        body: bytes,
        headers: { "content-type": "application/octet-stream", "x-amz-checksum-sha256": Buffer.from(hash, "hex").toString("base64") },
      });
      if ("code" in answer) throw refused(answer);
      answer.stop.abort();
      return { sha256: hash, bytes: bytes.byteLength };
    },
    async read(hash) {
      const answer = await request({ method: "GET", key: blobPath(hash).join("/") });
      if ("code" in answer) throw answer.status === 404 && answer.code !== "NoSuchBucket" ? noSuchBlob() : refused(answer);
      const length = answer.response.headers.get("content-length");
      if (length === null) {
        answer.stop.abort();
        throw new AppError("unavailable", "The blob store does not say how long a blob is, so it cannot be read safely.");
      }
      return { stream: verified(answer, { hash, bytes: Number(length), pieceMs: patience.pieceMs }), bytes: Number(length) };
    },
    async remove(hash) {
      const answer = await request({ method: "DELETE", key: blobPath(hash).join("/") });
      if ("code" in answer) {
        if (answer.status === 404 && answer.code !== "NoSuchBucket") return;
        throw refused(answer);
      }
      answer.stop.abort();
    },
    async check() {
      try {
        const answer = await request({ method: "GET", key: "", query: "?max-keys=1", attempts: 1 });
        if ("code" in answer) return refused(answer).message;
        answer.stop.abort();
        return "ok";
      } catch (error) {
        return toErrorMessage(error);
      }
    },
  };
}

/** Streams the body in bounded memory and fails unless length and hash match the blob. A cancelled stream ends the connection. */
function verified({ response, stop }: S3Answer, expected: { hash: string; bytes: number; pieceMs: number }): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  const digest = createHash("sha256");
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(new Error("it stopped in the middle of a blob")), expected.pieceMs);
        try {
          const piece = await reader?.read();
          if (piece?.value) {
            received += piece.value.byteLength;
            digest.update(piece.value);
            controller.enqueue(piece.value);
            return;
          }
          if (received !== expected.bytes || digest.digest("hex") !== expected.hash)
            throw new AppError("unavailable", "The blob store holds other bytes than Handrail stored. Restore it from its backup.");
          controller.close();
        } catch (error) {
          stop.abort();
          controller.error(unavailable(error));
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  );
}
