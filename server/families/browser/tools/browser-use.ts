import { fetches, sends } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { BrowserAction, isActing } from "../browser-action";
import { browser } from "../browser-capability";
import { browserProgram } from "../find-program";
import { stepInWords } from "../step-in-words";
import { browserUseDocumentation } from "./browser-use.documentation";

export const browserUse = defineTool({
  name: "browser_use",
  title: "Use a browser",
  description:
    "Drives a real browser, one for this conversation: start, open a url, then snapshot for the page as text with references (@e5) that click, type, select, hover and wait_for take. Also extract, screenshot, press, eval, navigate_back, switch_tab, stop. Send pageUrl with actions that change the page. Downloads and screenshots become files.",
  documentation: browserUseDocumentation,
  family: "browser",
  tier: "extension",
  effect: "write",
  needs: [browser],
  aliases: ["BrowserUseTool", "browser"],
  parameterAliases: {
    timeout: "timeoutSeconds",
    timeout_seconds: "timeoutSeconds",
    full_page: "fullPage",
    page_url: "pageUrl",
    script: "code",
  },
  dangerous: true,
  // Pages of results are cut by the tool itself.
  neverSpilled: true,
  primaryArgument: "url",
  timeoutMs: 120_000,
  availability: async () => {
    const program = browserProgram();
    return program.ok ? null : program.reason;
  },
  input: BrowserAction,
  // An action without `pageUrl` acts on a host that is known only when it runs.
  effects: ({ action, url = "", pageUrl = "" }) => {
    if (action === "open") return [fetches("/url", url, { reachesOwnServers: true })];
    return isActing(action) ? [sends("/pageUrl", pageUrl, { reachesOwnServers: true })] : [];
  },
  execute: (action, { browser, signal, progress }) => {
    progress(stepInWords(action));
    return browser.perform(action, signal);
  },
});
