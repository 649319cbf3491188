import { AppError, isAppError } from "@/server/platform/errors";

/** Reads the bytes of a body. Without a content-length, the bytes are counted while they arrive. @throws AppError `malformed`, `too_large` */
export async function readRequestBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    return length === null ? await readPieces(request, maxBytes) : await request.bytes();
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError("malformed", "The body ended before it was complete. Send it again.", { cause: error });
  }
}

async function readPieces(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    pieces.push(piece.value);
  }
  return Buffer.concat(pieces);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("too_large", `The body is larger than ${maxBytes.toLocaleString("en")} bytes. Send less, or in several requests.`);
}
