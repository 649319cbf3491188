import { z } from "zod";
import { Json } from "@/contracts/common";
import { authProfiles } from "@/server/capabilities/auth-profiles/auth-profiles";
import {
  addCredential,
  bytesWithoutCredential,
  type Credential,
  chunksWithoutCredential,
  withoutCredential,
} from "@/server/capabilities/auth-profiles/credential";
import { files, http } from "@/server/capabilities/call-capabilities";
import { addDownload } from "@/server/capabilities/files/add-new-file";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { artifactIdOf, artifactsAreRead } from "@/server/capabilities/files/path-argument";
import { headersFault, urlFault } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability, HttpRequest } from "@/server/capabilities/network/http";
import { fetches, sends, writes } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { defineTool } from "@/server/tools/define-tool";
import { sizeInWords, throttledProgress } from "@/server/tools/results/throttled-progress";
import { answerName } from "./answer-name";
import { answered, decodeBody, pageOf } from "./fetched-answer";
import { readPage } from "./read-page";

const maxInlineBytes = 524_288;
const maxDownloadBytes = 100 * 1_048_576;
const maxSentBytes = 1_048_576;
const maxTimeoutSeconds = 120;
const maxArtifactBytes = 20 * 1_048_576;
/** Characters of a page as Markdown, whose addresses may make it longer than its source. */
const maxMarkdownChars = 2_000_000;
/** Time after the request's own limit for reporting the timeout. */
const spareMs = 5_000;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const urlFetch = defineTool({
  name: "url_fetch",
  title: "Fetch a URL",
  description:
    "Sends an http or https request to the public internet, or to a host that an admin allowed. HTML is answered as Markdown (raw: true for the source), other text as it is, at most 512 KiB, in pages of 100,000 characters (offset); what is no text is saved in downloads/. downloadPath saves up to 100 MiB to a file, asArtifact 20 MiB for the user. Redirects: followRedirects (same origin).",
  family: "web",
  tier: "core",
  effect: "write",
  needs: [http, files, authProfiles],
  names: {
    aliases: ["UrlFetchTool", "web_fetch", "fetch", "fetch_url", "http_request"],
    parameterAliases: {
      timeout: "timeoutSeconds",
      timeout_seconds: "timeoutSeconds",
      max_bytes: "maxBytes",
      download_path: "downloadPath",
      follow_redirects: "followRedirects",
      auth_profile: "authProfile",
      start_index: "offset",
      startIndex: "offset",
      as_artifact: "asArtifact",
      data: "body",
    },
  },
  running: {
    backgroundable: true,
    // Calls of one turn do not know each other's results, and each has its own connection.
    concurrencySafe: true,
  },
  primaryArgument: "url",
  timeoutMs: maxTimeoutSeconds * 1_000 + spareMs,
  // Unsendable requests are refused while parsing, so that nobody approves a request that cannot succeed.
  input: z
    .object({
      url: z.string().min(1).superRefine(faultIn(urlFault)).describe("http or https address"),
      method: z
        .string()
        .transform((method) => method.toUpperCase())
        .pipe(z.enum(methods))
        .default("GET")
        .describe(methods.join(", ")),
      headers: z
        .record(z.string(), z.string())
        .superRefine(faultIn(headersFault))
        .default({})
        .describe("Without credentials: those headers are refused"),
      body: Json.optional().describe("For POST, PUT and PATCH: text, or an object to send as JSON"),
      timeoutSeconds: z
        .number()
        .positive()
        .default(30)
        .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
        .describe("Default 30, at most 120"),
      maxBytes: z.int().min(1).optional().describe("Most bytes of the answer to take"),
      followRedirects: z.boolean().default(false).describe("Follow redirects, each checked like the address"),
      raw: z.boolean().default(false).describe("The source of an HTML page instead of its text"),
      offset: z.int().min(0).default(0).describe("First character of the text to answer"),
      authProfile: z.string().min(1).max(100).optional().describe("Name of a stored credential that an admin allowed here"),
      downloadPath: z.string().min(1).optional().describe("Save the answer to this workspace file"),
      asArtifact: z.boolean().default(false).describe("Hand the answer to the user as an artifact, and keep it in downloads/"),
    })
    .superRefine(({ method, body, downloadPath, asArtifact }, context) => {
      if (downloadPath !== undefined && artifactIdOf(downloadPath) !== null)
        context.addIssue({ code: "custom", path: ["downloadPath"], message: artifactsAreRead });
      if (downloadPath !== undefined && asArtifact)
        context.addIssue({ code: "custom", path: ["asArtifact"], message: "send downloadPath or asArtifact, not both" });
      const fault = bodyFault(method, body);
      if (fault) context.addIssue({ code: "custom", path: ["body"], message: fault });
    }),
  approval: {
    everydayAction: "fetch",
    // A stored credential never goes to a program of the agent.
    effects: ({ url, method, downloadPath, authProfile }) => [
      (method === "GET" ? fetches : sends)("/url", url, { reachesOwnServers: authProfile === undefined }),
      ...(downloadPath === undefined ? [] : [writes("/downloadPath", downloadPath)]),
    ],
  },
  async execute(asked, { http, files, credentials, signal, timeoutMs, progress }) {
    const { url, method, body, timeoutSeconds, maxBytes, followRedirects, raw, offset, authProfile, downloadPath, asArtifact } = asked;
    const limit = Math.min(timeoutSeconds * 1_000, Math.max(timeoutMs - spareMs, timeoutMs / 2));
    const timeout = AbortSignal.timeout(limit);
    const profile = authProfile === undefined ? null : await credentials.find(authProfile, { url, method });
    const credential = addCredential(url, profile);
    const most = (bytes: number) => Math.min(maxBytes ?? bytes, bytes);
    const sending: Sending = {
      http,
      credential,
      request: {
        method,
        followRedirects: followRedirects && !profile?.limited,
        reachesOwnServers: authProfile === undefined,
        signal: AbortSignal.any([signal, timeout]),
        ownHeaders: credential.ownHeaders,
        ...(body === undefined ? { headers: asked.headers } : withBody(asked.headers, body)),
      },
    };
    const { origin, pathname } = new URL(url);
    // Without the query and the values of headers, which may hold secrets.
    log().debug({ method, url: `${origin}${pathname}`, headers: Object.keys(asked.headers), authProfile }, "url_fetch sends a request");
    try {
      if (downloadPath !== undefined)
        return await download({ files, progress }, { downloadPath, maxBytes: most(maxDownloadBytes) }, sending);
      if (asArtifact) return await fetchArtifact(files, most(maxArtifactBytes), sending);
      const limits = { maxBytes: most(maxInlineBytes), maxKeptBytes: most(maxArtifactBytes) };
      return await fetchInline(files, { raw, offset, ...limits }, sending);
    } catch (error) {
      if (timeout.aborted && !signal.aborted)
        throw new AppError("timed_out", `${url} took longer than ${limit / 1_000} seconds. Raise timeoutSeconds, or ask for less.`);
      throw isAppError(error) ? new AppError(error.code, withoutCredential(error.message, credential.secrets)) : error;
    }
  },
});

/** A request with its credential, whose texts must never appear in a result. */
type Sending = { http: HttpCapability; credential: Credential; request: HttpRequest };

const cleanerOf =
  ({ credential }: Sending) =>
  (text: string): string =>
    withoutCredential(text, credential.secrets);

/** Adapts a check to zod. */
function faultIn<T>(faultOf: (value: T) => string | null) {
  return (value: T, context: z.RefinementCtx<T>) => {
    const fault = faultOf(value);
    if (fault) context.addIssue({ code: "custom", message: fault });
  };
}

function bodyFault(method: string, body: Json | undefined): string | null {
  if (body === undefined) return null;
  if (method === "GET" || method === "DELETE")
    return `A ${method} request has no body here. Use POST, PUT or PATCH, or leave the body out.`;
  const bytes = Buffer.byteLength(sentText(body));
  if (bytes <= maxSentBytes) return null;
  return `It has ${bytes.toLocaleString("en")} bytes; at most ${maxSentBytes.toLocaleString("en")} are sent. Send less, or in several requests.`;
}

const sentText = (body: Json): string => (typeof body === "string" ? body : JSON.stringify(body));

/** Sends a string unchanged and any other body as JSON; the caller's own Content-Type wins. */
function withBody(headers: Record<string, string>, body: Json): Pick<HttpRequest, "headers" | "body"> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const inferred = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return { body: sentText(body), headers: hasType ? headers : { ...headers, "content-type": inferred } };
}

type Inline = { raw: boolean; offset: number; maxBytes: number; maxKeptBytes: number };

async function fetchInline(files: FilesCapability, { raw, offset, maxBytes, maxKeptBytes }: Inline, sending: Sending) {
  const { http, credential, request } = sending;
  const { body, ...answer } = await http.open(credential.url, request);
  const contentType = answer.headers["content-type"] ?? "";
  const isText = (bytes: Uint8Array) => decodeBody(bytes, contentType) !== null;
  const { bytes, truncated } = await readBody(body, maxBytes, (head) =>
    isSuccess(answer.status) && !isText(head) ? maxKeptBytes : maxBytes,
  );
  const finish = (more: Parameters<typeof answered>[2]) =>
    answered(answer, request.method, { bytes: bytes.byteLength, truncated, ...more }, cleanerOf(sending));
  if (bytes.byteLength === 0) return finish({ notes: ["The answer is empty."] });
  const decoded = decodeBody(bytes, contentType);
  if (decoded === null) {
    if (!isSuccess(answer.status)) return finish({ notes: ["The content is not text, so it is not shown."] });
    if (truncated) {
      const size = maxKeptBytes.toLocaleString("en");
      const way = maxKeptBytes < maxArtifactBytes ? "Raise maxBytes" : "Send downloadPath to save it to a file";
      return finish({ saved: false, notes: [`The content is not text and has more than ${size} bytes. Nothing was saved. ${way}.`] });
    }
    const { secrets } = credential;
    const name = withoutCredential(answerName(answer), secrets);
    const { facts, sentence } = await addAnswer(files, { name, bytes: bytesWithoutCredential(bytes, secrets) });
    return finish({ ...facts, notes: [`The content is not text. ${sentence}`] });
  }
  // Before Markdown escapes its characters, and before a page ends within it.
  const text = withoutCredential(decoded.text, credential.secrets);
  const encoding =
    decoded.guessed === null ? [] : [`Nothing declares the encoding of this text; it was read as ${decoded.guessed}, a guess.`];
  const isHtml = /^(text\/html|application\/xhtml\+xml)/i.test(contentType);
  if (!isHtml || raw) return finish({ notes: encoding, page: pageOf(text, offset) });
  const page = await readPage({ html: text, url: answer.url }, maxMarkdownChars);
  const isBuiltByScripts = page.scripts > 0 && page.markdown.length < fewChars;
  return finish({
    title: page.title,
    notes: [...encoding, ...(isBuiltByScripts ? [builtByScripts] : page.isArticle ? [articleOnly] : page.isPlain ? [plainOnly] : [])],
    page: pageOf(page.markdown, offset),
  });
}

/** A page with scripts and fewer characters than this counts as empty. */
const fewChars = 200;
const builtByScripts =
  "The page holds almost no text: scripts build it, and they are not run here. Look for an API, a feed or a sitemap of the site, or see its source with raw: true.";
const plainOnly =
  "The page took too much time or memory to be read as Markdown: this is its plain text, without headings and tables. Send raw: true for its source.";
const articleOnly = "Menus and the like were left out; raw: true shows the whole source.";

/** Reads a body of at most `maxBytes`. For a longer one `limitOf` returns the limit that its first bytes allow. */
async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number, limitOf: (head: Uint8Array) => number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let limit = maxBytes;
  let isAsked = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > limit && !isAsked) {
      limit = Math.max(limit, limitOf(Buffer.concat(chunks).subarray(0, limit)));
      isAsked = true;
    }
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), truncated: length > limit };
}

type Downloading = { files: FilesCapability; progress: (message: string) => void };

async function download(
  { files, progress }: Downloading,
  { downloadPath, maxBytes }: { downloadPath: string; maxBytes: number },
  sending: Sending,
) {
  const { http, credential, request } = sending;
  const { body, ...answer } = await http.open(credential.url, request);
  const finish = (more: Parameters<typeof answered>[2]) => answered(answer, request.method, more, cleanerOf(sending));
  if (!isSuccess(answer.status)) {
    // Leaving the loop at once closes the connection.
    for await (const _chunk of body) break;
    return finish({ saved: false, notes: [`Nothing was saved: the status is ${answer.status}.`] });
  }
  const { secrets } = credential;
  const chunks = secrets.length === 0 ? body : chunksWithoutCredential(body, secrets);
  const { bytesWritten } = await files.writeChunks(downloadPath, counted(chunks, totalOf(answer.headers), progress), { maxBytes });
  return finish({ bytes: bytesWritten, path: downloadPath, saved: true, notes: [`Saved to ${downloadPath}.`] });
}

/** Passes chunks on, and tells how many bytes have come; of how many, when the host said so. */
async function* counted(chunks: AsyncIterable<Uint8Array>, total: number | null, progress: (message: string) => void) {
  const tell = throttledProgress(progress);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    tell(() => `Downloaded ${sizeInWords(bytes)}${total === null ? "" : ` of ${sizeInWords(total)}`}`);
    yield chunk;
  }
}

/** Returns the announced size of a body; null for an encoded one, whose size says nothing about the bytes that arrive. */
function totalOf(headers: Readonly<Record<string, string>>): number | null {
  const total = headers["content-encoding"] === undefined ? Number(headers["content-length"] ?? Number.NaN) : Number.NaN;
  return Number.isSafeInteger(total) && total > 0 ? total : null;
}

async function fetchArtifact(files: FilesCapability, maxBytes: number, sending: Sending) {
  const { http, credential, request } = sending;
  const { bytes, truncated, ...answer } = await http.fetch(credential.url, { ...request, maxBytes });
  const finish = (more: Parameters<typeof answered>[2]) =>
    answered(answer, request.method, { bytes: bytes.byteLength, truncated, ...more }, cleanerOf(sending));
  if (!isSuccess(answer.status)) return finish({ saved: false, notes: [`Nothing was kept: the status is ${answer.status}.`] });
  if (truncated) {
    const way = maxBytes < maxArtifactBytes ? "Raise maxBytes" : "Send downloadPath to save it to a file";
    throw new AppError("too_large", `The answer has more than ${maxBytes.toLocaleString("en")} bytes. ${way}.`);
  }
  const name = withoutCredential(answerName(answer), credential.secrets);
  const mediaType = answer.headers["content-type"]?.split(";")[0]?.trim() || "application/octet-stream";
  const kept = bytesWithoutCredential(bytes, credential.secrets);
  const { facts, sentence } = await addAnswer(files, { name, bytes: kept });
  // The artifact is kept whether or not the folder took the file.
  return finish({ ...facts, saved: true, notes: [`Kept as the artifact ${name}. ${sentence}`], files: [{ name, mediaType, bytes: kept }] });
}

/** Adds an answer to the folder. No effect is declared: the file is a new one in a folder of its own, and replaces nothing. */
async function addAnswer(files: FilesCapability, file: { name: string; bytes: Uint8Array }) {
  const added = await addDownload(files, file);
  return "path" in added
    ? { facts: { saved: true, path: added.path }, sentence: `Saved to ${added.path}.` }
    : { facts: { saved: false }, sentence: added.fault };
}

const isSuccess = (status: number) => status >= 200 && status < 300;
