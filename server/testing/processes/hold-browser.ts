import { launchBrowser } from "@/server/families/browser/launch-browser";

/**
 * A server with one browser, in its own process, which a test kills. Arguments: an address that the browser may open, and
 * one that it may not. Prints one line with the outcomes, and then holds the browser.
 */
const [allowed = "", forbidden = ""] = process.argv.slice(2);
const refused: string[] = [];
const { browser, network, isConfined } = await launchBrowser({
  ownServers: { has: () => false, connect: () => Promise.reject(new Error("no servers")) },
  privateHosts: [new URL(allowed).host],
  onConnection: ({ outcome, reason }) => outcome === "refused" && reason && refused.push(reason),
  signal: new AbortController().signal,
});
const { server, credentials } = network;
const context = await browser.newContext(credentials ? { proxy: { server, ...credentials, bypass: "<-loopback>" } } : {});
const page = await context.newPage();
await page.goto(allowed);
const text = await page.locator("body").textContent();
await page.goto(forbidden).catch(() => null);
console.log(JSON.stringify({ isConfined, text, refused }));
setInterval(() => {}, 60_000);
