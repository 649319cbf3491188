import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { Json } from "@/contracts/common";
import type { FilesCapability } from "@/server/capabilities/files";
import type { HttpAnswer, HttpCapability, HttpRequest } from "@/server/capabilities/http";
import { AppError } from "@/server/platform/errors";
import { defineTool, toolResult } from "../../define-tool";
import { readableHtml } from "./html-text";

const maxInlineBytes = 524_288;
const maxDownloadBytes = 100 * 1_048_576;
const maxSentBytes = 1_048_576;
const maxTimeoutSeconds = 120;
const maxTextChars = 100_000;
const maxLinks = 50;
/** What the tool needs after the request's own time is up, to say so. */
const spareMs = 5_000;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const urlFetch = defineTool({
  name: "url_fetch",
  title: "Fetch a URL",
  description:
    "Sends an http or https request to the public internet. Of an HTML page it answers title, text and links (raw: true for its source), of other text the body, at most 512 KiB. downloadPath saves up to 100 MiB to a workspace file instead. Redirects are answered, not followed, unless followRedirects (same origin only).",
  family: "web",
  tier: "core",
  // A tool has one effect whatever its arguments are, and a POST changes the world. Under the default policy every fetch
  // asks; a rule on `method` and `url` lets the harmless ones pass.
  effect: "write",
  needs: ["http", "files"],
  aliases: ["UrlFetchTool", "web_fetch", "fetch", "fetch_url", "http_request"],
  parameterAliases: {
    timeout: "timeoutSeconds",
    timeout_seconds: "timeoutSeconds",
    max_bytes: "maxBytes",
    download_path: "downloadPath",
    follow_redirects: "followRedirects",
    data: "body",
  },
  backgroundable: true,
  primaryArgument: "url",
  // Calls of one turn were written without knowing each other's results, and each has a connection of its own.
  concurrencySafe: true,
  timeoutMs: maxTimeoutSeconds * 1_000 + spareMs,
  input: z.object({
    url: z.string().min(1),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(methods))
      .default("GET")
      .describe(methods.join(", ")),
    headers: z.record(z.string(), z.string()).default({}).describe("Without credentials: those headers are refused"),
    body: Json.optional().describe("For POST, PUT and PATCH: text, or an object to send as JSON"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(30)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe("Default 30, at most 120"),
    maxBytes: z.int().min(1).optional().describe("Most bytes of the answer to take"),
    followRedirects: z.boolean().default(false),
    raw: z.boolean().default(false).describe("The source of an HTML page instead of its text"),
    downloadPath: z.string().min(1).optional().describe("Save the answer to this workspace file"),
  }),
  async execute(asked, { http, files, signal, timeoutMs }) {
    const { url, method, body, timeoutSeconds, maxBytes, followRedirects, raw, downloadPath } = asked;
    if (body !== undefined && (method === "GET" || method === "DELETE")) {
      throw new AppError("invalid", `A ${method} request has no body here. Use POST, PUT or PATCH, or leave the body out.`);
    }
    const limit = Math.min(timeoutSeconds * 1_000, Math.max(timeoutMs - spareMs, timeoutMs / 2));
    const timeout = AbortSignal.timeout(limit);
    const request: HttpRequest = {
      method,
      followRedirects,
      signal: AbortSignal.any([signal, timeout]),
      ...(body === undefined ? { headers: asked.headers } : withBody(asked.headers, body)),
    };
    try {
      return downloadPath
        ? await download(
            { http, files },
            { url, downloadPath, maxBytes: Math.min(maxBytes ?? maxDownloadBytes, maxDownloadBytes) },
            request,
          )
        : await fetchInline(http, { url, raw, maxBytes: Math.min(maxBytes ?? maxInlineBytes, maxInlineBytes) }, request);
    } catch (error) {
      if (!timeout.aborted || signal.aborted) throw error;
      throw new AppError("timed_out", `${url} took longer than ${limit / 1_000} seconds. Raise timeoutSeconds, or ask for less.`);
    }
  },
});

/** A text is sent as it is, anything else as JSON; a Content-Type of the caller's own wins. */
function withBody(headers: Record<string, string>, body: Json): Pick<HttpRequest, "headers" | "body"> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxSentBytes) {
    throw new AppError(
      "too_large",
      `The body has ${bytes.toLocaleString("en")} bytes; at most ${maxSentBytes.toLocaleString("en")} are sent.`,
    );
  }
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const inferred = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return { body: text, headers: hasType ? headers : { ...headers, "content-type": inferred } };
}

async function fetchInline(
  http: HttpCapability,
  { url, raw, maxBytes }: { url: string; raw: boolean; maxBytes: number },
  request: HttpRequest,
) {
  const { bytes, truncated, ...answer } = await http.fetch(url, { ...request, maxBytes });
  const text = textOf(bytes, answer.headers["content-type"] ?? "");
  return answered(answer, request, { bytes: bytes.byteLength, truncated, ...shown(answer, text, raw) });
}

async function download(
  { http, files }: { http: HttpCapability; files: FilesCapability },
  { url, downloadPath, maxBytes }: { url: string; downloadPath: string; maxBytes: number },
  request: HttpRequest,
) {
  const { body, ...answer } = await http.open(url, request);
  if (!isSuccess(answer.status)) {
    // Leaving the loop at once lets go of the connection.
    for await (const _chunk of body) break;
    return answered(answer, request, { saved: false, note: `Nothing was saved: the status is ${answer.status}.` });
  }
  const { bytesWritten } = await files.writeChunks(downloadPath, body, { maxBytes });
  return answered(answer, request, { bytes: bytesWritten, path: downloadPath, saved: true, note: `Saved to ${downloadPath}.` });
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function answered({ url, status, headers }: HttpAnswer, { method }: HttpRequest, rest: JsonObject) {
  const value: JsonObject = {
    url,
    method,
    status,
    contentType: headers["content-type"] ?? null,
    ...(status >= 300 && status < 400 && headers.location
      ? { location: headers.location, redirect: "This is a redirect. Fetch location if you want to follow it." }
      : {}),
    ...rest,
  };
  return status < 400 ? value : toolResult({ text: JSON.stringify({ error: `non-2xx status: ${status}`, ...value }), isError: true });
}

function shown({ url, headers }: HttpAnswer, text: string | null, raw: boolean): JsonObject {
  if (text === null) return { note: "The content is not text. Send downloadPath to save it to a file." };
  const isHtml = /^(text\/html|application\/xhtml\+xml)/i.test(headers["content-type"] ?? "");
  if (!isHtml || raw) return { body: text };
  const { title, text: readable, links } = readableHtml(text, { baseUrl: url, maxChars: maxTextChars, maxLinks });
  return { title, text: readable, links };
}

/** The body as text, or null when it is none. */
function textOf(bytes: Uint8Array, contentType: string): string | null {
  if (bytes.includes(0)) return null;
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const isDeclaredText = /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|yaml))|[+](json|xml)/i.test(
    contentType,
  );
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: !isDeclaredText });
  } catch {
    decoder = new TextDecoder("utf-8", { fatal: !isDeclaredText });
  }
  try {
    // A character that the size limit cut in two is left out.
    return decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
