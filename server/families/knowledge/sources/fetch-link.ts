import "server-only";
import { maxSourceBytes } from "@/contracts/knowledge/knowledge-sources";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { AppError } from "@/server/platform/errors";

const timeoutMs = 30_000;
const suffixes: Readonly<Record<string, string>> = {
  "text/html": ".html",
  "text/markdown": ".md",
  "text/plain": ".txt",
  "application/pdf": ".pdf",
};

/** Fetches a public address by the guarded client: private addresses and redirects to other hosts are refused. @throws AppError */
export async function fetchLink(url: string, signal: AbortSignal, client = guardedHttp()): Promise<{ name: string; bytes: Uint8Array }> {
  const answer = await client.fetch(url, {
    method: "GET",
    headers: { accept: "text/html, text/markdown, text/plain, application/pdf, */*;q=0.5" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    followRedirects: true,
    maxBytes: maxSourceBytes,
  });
  if (answer.status >= 300 && answer.status < 400) {
    throw new AppError("invalid", `url: ${url} leads to another host (${answer.status}). Add that address itself.`);
  }
  if (answer.status !== 200) throw new AppError("invalid", `url: ${url} answered ${answer.status}. Check the address in a browser.`);
  if (answer.truncated) throw new AppError("too_large", `url: ${url} answers more than 64 MiB.`);
  return { name: nameOf(new URL(answer.url), answer.headers["content-type"] ?? ""), bytes: answer.bytes };
}

/** Names a page by its host and path: `example.com/guide.html`. */
function nameOf({ host, pathname }: URL, contentType: string): string {
  const parts = pathname
    .split("/")
    .map((part) =>
      decoded(part)
        .replace(/[^\p{L}\p{M}\p{N} ._-]/gu, "_")
        .trim(),
    )
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const name = [host.replace(/[^\w.-]/g, "_"), ...parts].join("/").slice(0, 250);
  const suffix = suffixes[contentType.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "";
  return /\.[a-z0-9]{1,5}$/i.test(parts.at(-1) ?? "") ? name : `${name}${parts.length === 0 ? "/index" : ""}${suffix}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
