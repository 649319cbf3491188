import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** Shorter answers fit into one packet anyway. */
const leastChars = 1_400;

/** Levels that take about a millisecond for a page of the inbox; higher ones save little more. */
const brotliQuality = 4;
const gzipLevel = 5;

export type Encoding = "br" | "gzip";

/** Returns the best encoding that a request accepts for a text; null when the text is sent as it is. */
export function encodingFor({ method, headers }: Pick<IncomingMessage, "method" | "headers">, text: string): Encoding | null {
  if (text.length < leastChars || method === "HEAD") return null;
  const accepted = acceptedBy(headers["accept-encoding"]);
  if (accepted("br")) return "br";
  return accepted("gzip") ? "gzip" : null;
}

export function compressText(text: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return withGzip(text, { level: gzipLevel });
  return withBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}

/** Reads `Accept-Encoding`; `*` is not read as consent, because only old or careless clients send it alone. */
function acceptedBy(header: string | string[] | undefined): (encoding: Encoding) => boolean {
  const parts = String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  return (encoding) => parts.some(([name, ...rest]) => name === encoding && !rest.some((piece) => /^q=0(?:\.0*)?$/.test(piece)));
}
