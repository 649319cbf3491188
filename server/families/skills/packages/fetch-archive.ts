import "server-only";
import { maxPackageBytes } from "@/contracts/skills/skills";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { AppError } from "@/server/platform/errors";

/** The archive of a repository, and the folder in it that was asked for. */
export type ArchiveAddress = { url: string; within: string };

const maxSteps = 4;
const timeoutMs = 60_000;

/**
 * Finds the archive of a repository: GitHub, GitLab, and Codeberg, Gitea and Forgejo elsewhere. A link to a zip is that zip.
 * @throws AppError `invalid`
 */
export function archiveOf(given: string): ArchiveAddress {
  const url = new URL(given);
  if (url.protocol !== "https:") throw new AppError("invalid", "url: use an address that begins with https://.");
  if (url.username || url.password)
    throw new AppError(
      "invalid",
      "url: leave out the user and password. Only public repositories can be fetched; install others from a zip.",
    );
  if (/\.zip$/i.test(url.pathname)) return { url: url.href, within: "" };
  const parts = url.pathname
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter(Boolean)
    .map(decodeURIComponent);
  const [owner, name, ...rest] = parts;
  if (!owner || !name) throw new AppError("invalid", "url: name a repository, such as https://github.com/owner/name, or a zip.");
  const base = `https://${url.host}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  if (url.host === "github.com" || url.host === "www.github.com") {
    const [word, ref = "HEAD", ...folder] = rest;
    const isFolder = word === "tree" || word === "blob";
    const within = isFolder ? folder.join("/").replace(/\/?SKILL\.md$/, "") : "";
    return { url: `https://codeload.github.com/${owner}/${name}/zip/${encodeURIComponent(isFolder ? ref : "HEAD")}`, within };
  }
  const dash = parts.indexOf("-");
  if (url.host.startsWith("gitlab.") || dash > 0) {
    const project = dash > 0 ? parts.slice(0, dash) : parts;
    const [, word, ref = "HEAD", ...folder] = dash > 0 ? parts.slice(dash) : [];
    const within = word === "tree" || word === "blob" ? folder.join("/").replace(/\/?SKILL\.md$/, "") : "";
    const path = project.map(encodeURIComponent).join("/");
    return {
      url: `https://${url.host}/${path}/-/archive/${encodeURIComponent(ref)}/${encodeURIComponent(project.at(-1) ?? "skills")}.zip`,
      within,
    };
  }
  const [src, kind, ref, ...folder] = rest;
  const isFolder = src === "src" && (kind === "branch" || kind === "tag" || kind === "commit");
  return {
    url: `${base}/archive/${encodeURIComponent(isFolder ? (ref ?? "HEAD") : "HEAD")}.zip`,
    within: isFolder ? folder.join("/").replace(/\/?SKILL\.md$/, "") : "",
  };
}

/**
 * Fetches an archive. The client refuses private addresses; redirects lead to other hosts, so each is checked anew.
 * @throws AppError `invalid`, `unavailable`, `too_large`
 */
export async function fetchArchive(address: ArchiveAddress, http: HttpCapability = guardedHttp()): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs);
  let { url } = address;
  for (let step = 0; step < maxSteps; step += 1) {
    const answer = await http.fetch(url, { method: "GET", signal, followRedirects: true, maxBytes: maxPackageBytes });
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && location) {
      const next = new URL(location, url);
      if (next.protocol !== "https:")
        throw new AppError("invalid", `url: ${url} leads to ${next.protocol}//${next.host}, which is not https.`);
      url = next.href;
      continue;
    }
    if (answer.status !== 200) {
      throw new AppError(
        "unavailable",
        `url: ${new URL(url).host} answered ${answer.status} for the archive. Is the repository public, and its address right?`,
      );
    }
    if (answer.truncated)
      throw new AppError("too_large", "url: the archive has more than 50 MiB. Install the skill's folder from a zip of its own.");
    return answer.bytes;
  }
  throw new AppError("unavailable", "url: the address leads on and on. Name the archive's own address.");
}
