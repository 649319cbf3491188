/**
 * The program that coding agents run as their hook, where they cannot send requests themselves: one file for Node 18 and newer,
 * without dependencies. It ends with 2, which blocks the call in every client, unless the answer is certainly Handrail's.
 */
export const hookProgram = String.raw`#!/usr/bin/env node
"use strict";
// handrail-hook <client> <ask|tell> [--timeout seconds] [--mode headless|defer] [--box none|agent|container]
// ask: waits for a decision about the call on standard input, and prints the client's own answer.
// tell: reports what has happened, and never blocks.
// HANDRAIL_URL and HANDRAIL_KEY, or the file hook.json beside this program, say where Handrail is.
process.exitCode = 2;
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { randomUUID } = require("node:crypto");

const [client = "", kind = "ask", ...options] = process.argv.slice(2);
const option = (name, otherwise) => (options.includes(name) ? options[options.indexOf(name) + 1] : otherwise);
const timeout = Number(option("--timeout", "3600"));
const givesUpAt = Date.now() + (timeout - 30) * 1000;
const callId = randomUUID();
let openCall = null;
let isReached = false;

function stop(reason) {
  process.stderr.write("Handrail: " + reason + "\n");
  process.exit(kind === "tell" ? 0 : 2);
}
process.on("uncaughtException", (error) => stop("the hook failed: " + error.message));
process.on("unhandledRejection", (error) => stop("the hook failed: " + (error && error.message)));

function settings() {
  const file = path.join(__dirname, "hook.json");
  const kept = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
  const url = process.env.HANDRAIL_URL || kept.url;
  const key = process.env.HANDRAIL_KEY || kept.key;
  if (!url || !key) stop("HANDRAIL_URL and HANDRAIL_KEY are not set, and there is no " + file + ".");
  return { url: url.replace(/\/+$/, ""), key };
}

function repositoryOf(folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      const found = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(fs.readFileSync(path.join(at, ".git", "config"), "utf8"));
      return found ? found[1].replace(/\/\/[^/@]*@/, "//") : null;
    } catch {
      if (at === path.dirname(at)) return null;
    }
  }
}

const { url, key } = settings();
const body = fs.readFileSync(0, "utf8");
const folder = JSON.parse(body).cwd || process.cwd();
const headers = { authorization: "Bearer " + key, "content-type": "application/json" };

function address(wait) {
  const words = new URLSearchParams({ timeout: String(timeout), mode: option("--mode", "headless"), box: option("--box", "none"), call: callId });
  const facts = { home: os.homedir(), host: os.hostname(), user: os.userInfo().username, version: option("--version", "") };
  facts.repository = repositoryOf(folder) || "";
  for (const [name, value] of Object.entries(facts)) if (value) words.set(name, value);
  if (wait !== null) words.set("wait", String(wait));
  return url + "/agent-hooks/" + client + "?" + words;
}

const post = (where, text, seconds) =>
  fetch(where, { method: "POST", headers, body: text, redirect: "error", signal: AbortSignal.timeout(seconds * 1000) });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Prints an answer that is certainly Handrail's: its mark is there, and it is JSON. */
async function print(response) {
  const text = await response.text();
  if (response.headers.get("handrail-hook") !== client) stop("something else than Handrail answered, so the call was not run.");
  if (Object.keys(JSON.parse(text)).length > 0) process.stdout.write(text.trim() + "\n");
  process.exitCode = 0;
}

async function ask() {
  const firstTries = Date.now() + 6_000;
  for (;;) {
    if (Date.now() > givesUpAt) stop("nobody decided in time, so the call was not run.");
    let problem;
    try {
      // The first request only asks, so that the call is known when somebody stops this program.
      const response = await post(address(isReached ? 25 : 0), body, 55);
      if (response.status === 200) return await print(response);
      problem = "it answered " + response.status + ".";
      if (response.status === 202 && response.headers.get("handrail-hook") === client) {
        isReached = true;
        openCall = response.headers.get("handrail-call");
        continue;
      }
      const isFinal = response.status < 500 && response.status !== 408 && response.status !== 429;
      if (isFinal) stop("it refused the request (" + response.status + "): " + (await response.text()).slice(0, 500));
    } catch (error) {
      problem = (error && ((error.cause && error.cause.message) || error.message)) || "unknown";
    }
    // Handrail may be restarting. A question that was asked stays open there, and the same id finds it again.
    if (!isReached && Date.now() > firstTries) stop("it cannot be reached, so the call was not run: " + problem);
    await pause(1000);
  }
}

async function withdraw() {
  if (openCall) await post(url + "/api/v1/guarded-calls/" + openCall + "/cancel", "", 3).catch(() => {});
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void withdraw());

if (kind === "tell") {
  process.exitCode = 0;
  post(address(null), body, 20)
    .then((response) => (response.status === 200 ? print(response) : undefined))
    .catch(() => {});
} else ask();
`;
