import { files } from "@/server/capabilities/call-capabilities";
import { pathAliases } from "@/server/capabilities/files/path-argument";
import { fetches, reads, sends } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { BrowserAction, isActing, uploadPaths } from "../browser-action";
import { browser } from "../browser-capability";
import { readUploads, withDownloads } from "../exchanged-files";
import { browserProgram } from "../find-program";
import { stepInWords } from "../step-in-words";
import { browserUseDocumentation } from "./browser-use.documentation";

export const browserUse = defineTool({
  name: "browser_use",
  title: "Use a browser",
  description:
    "Drives a real browser, one for this conversation: open a url, then snapshot for the page as text with references (@e5) that click, type, select, upload (path), hover, scroll and wait_for take. Also extract, screenshot, press, eval, navigate_back, switch_tab, stop. Send pageUrl with actions that change the page. Downloads are saved in downloads/.",
  disclosure: {
    documentation: browserUseDocumentation,
    availability: async () => {
      const program = browserProgram();
      return program.ok ? null : program.reason;
    },
  },
  family: "browser",
  tier: "extension",
  effect: "write",
  needs: [browser, files],
  names: {
    aliases: ["BrowserUseTool", "browser"],
    parameterAliases: {
      ...pathAliases,
      timeout: "timeoutSeconds",
      timeout_seconds: "timeoutSeconds",
      full_page: "fullPage",
      page_url: "pageUrl",
      script: "code",
      paths: "path",
      files: "path",
    },
  },
  approval: {
    dangerous: true,
    // An action without `pageUrl` acts on a host that is known only when it runs.
    effects: ({ action, url = "", pageUrl = "", path }) => {
      if (action === "open") return [fetches("/url", url, { reachesOwnServers: true })];
      const read = uploadPaths({ action, path }).map((file) => reads("/path", file));
      return isActing(action) ? [...read, sends("/pageUrl", pageUrl, { reachesOwnServers: true })] : [];
    },
  },
  result: {
    // Pages of results are cut by the tool itself.
    neverSpilled: true,
  },
  primaryArgument: "url",
  // A start may wait for a slow machine, and the action comes after it.
  timeoutMs: 240_000,
  input: BrowserAction,
  async execute(action, { browser, files, signal, progress }) {
    progress(stepInWords(action));
    const uploads = await readUploads(uploadPaths(action), { files, signal });
    const result = await browser.perform(action, { signal, uploads });
    return withDownloads(result, files);
  },
});
