/**
 * The program that coding agents run as their hook, where they cannot send requests themselves: one file for Node 18 and newer,
 * without dependencies. It ends with 2, which blocks the call in every client, unless the answer is certainly Handrail's.
 */
export const hookProgram = String.raw`#!/usr/bin/env node
"use strict";
// handrail-hook <client> <ask|tell> [--timeout seconds] [--mode headless|defer] [--box none|agent|container] [--on-failure block]
// ask: waits for a decision about the call on standard input, and prints the client's own answer. tell: reports, and never blocks.
// HANDRAIL_URL and HANDRAIL_KEY, or the file hook.json beside this program, say where Handrail is.
process.exitCode = process.argv[3] === "tell" ? 0 : 2;
const fs = require("node:fs"), os = require("node:os"), path = require("node:path");
const { execFile, spawnSync } = require("node:child_process"), { createHash, randomUUID } = require("node:crypto");
const [client = "", kind = "ask", ...options] = process.argv.slice(2);
const option = (name, otherwise) => (options.includes(name) ? options[options.indexOf(name) + 1] : otherwise);
const timeout = Number(option("--timeout", "3600"));
/** Milliseconds since the start of this program, by a clock that nobody sets. */
const [givesUpAt, firstTries] = [(timeout - 30) * 1000, 6_000];
let [openCall, isReached, isWithdrawn] = [null, false, false];
/** Codex and Gemini run the call after a silent exit code 2. Gemini also runs it after plain text when a signal kills the shell of its hook. */
function stop(reason) {
  process.stderr.write("Handrail: " + reason + "\n");
  if (client === "gemini" && kind === "ask") process.stdout.write(JSON.stringify({ decision: "deny", reason: "Handrail: " + reason }) + "\n");
  process.exit(kind === "tell" ? 0 : 2);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void withdraw());
for (const fault of ["uncaughtException", "unhandledRejection"]) process.on(fault, (error) => stop("the hook failed: " + (error && error.message)));
if (kind === "ask" && !(timeout > 30)) stop("--timeout " + option("--timeout") + " leaves nobody time to decide, so the call was not run. It has to be more than 30 seconds.");
const settings = path.join(__dirname, "hook.json"), kept = fs.existsSync(settings) ? JSON.parse(fs.readFileSync(settings, "utf8")) : {};
const [url, key] = [String(process.env.HANDRAIL_URL || kept.url || "").replace(/\/+$/, ""), process.env.HANDRAIL_KEY || kept.key];
if (!url || !key) stop("HANDRAIL_URL and HANDRAIL_KEY are not set, and there is no " + settings + ".");
const body = fs.readFileSync(0, "utf8");
const event = JSON.parse(body);
/** Finds a name in the folder or in one above it, not beyond the repository. */
function nearest(name, at) {
  if (fs.existsSync(path.join(at, name))) return path.join(at, name);
  return at === path.dirname(at) || fs.existsSync(path.join(at, ".git")) ? null : nearest(name, path.dirname(at));
}
const lineOf = (file, before) => path.resolve(path.dirname(file), fs.readFileSync(file, "utf8").replace(before, "").trim());
/** Reads the remote's address. In a linked worktree .git is a file that names a folder of the repository. */
function repositoryOf(git) {
  if (!git) return "-";
  const own = fs.statSync(git).isFile() ? lineOf(git, /^gitdir:\s*/) : git;
  const config = path.join(fs.existsSync(path.join(own, "commondir")) ? lineOf(path.join(own, "commondir"), "") : own, "config");
  const found = fs.existsSync(config) && /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(fs.readFileSync(config, "utf8"));
  return found ? found[1].replace(/\/\/[^/@]*@/, "//") : "-";
}
/** Asks the client for its version when a session begins. */
const isStart = /^sessionstart$/i.test(event.hook_event_name) || event.event === "start" || (event.source && !event.toolName);
const program = kind === "tell" && isStart && client !== "cursor" && (client === "claude-code" ? "claude" : client);
const said = program && spawnSync(program, ["--version"], { encoding: "utf8", timeout: 5000 }).stdout;
const [version] = /\d+(\.\d+)+/.exec(said || "") || [""];
const attempt = (read, otherwise) => { try { return read(); } catch { return otherwise; } };
/** The sentence of a problem document, or the beginning of another answer. */
const told = (text) => attempt(() => String(JSON.parse(text).detail || JSON.parse(text).title || text), text).slice(0, 500);
/** Finds the links among the words of the call, each with the file behind it, because Handrail does not see this machine. */
function links() {
  const [texts, found, seen, bases, root] = [[], {}, new Set(), [event.cwd || folder], attempt(() => fs.realpathSync(folder), folder)];
  const isNear = (at) => [os.homedir(), git ? path.dirname(git) : folder].some((top) => at.startsWith(top + "/"));
  JSON.stringify(event, (_, value) => (typeof value === "string" && texts.push(value), value));
  const pieces = texts.flatMap((text) => [text, ...text.split(/["'\n]|: /), ...text.split(/[\s"'\x60;&|<>(){}=,:]+/)]);
  const words = new Set(pieces.map((piece) => piece.replace(/^(?:~|\$HOME)(?=\/)/, os.homedir()).replace(/^\$PWD\//, "")));
  for (const base of bases) for (const word of words) {
    const named = word.length < 4096 ? path.resolve(base, word) : "";
    if (isNear(named) && !seen.has(named) && bases.length * words.size < 50_000 && attempt(() => fs.statSync(named).isDirectory())) bases.push(named);
    for (let at = named; isNear(at) && !seen.has(at); at = path.dirname(at)) {
      seen.add(at);
      if (!attempt(() => fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())) continue;
      // A link to nothing leads out of the project, because the call may make its file.
      const real = attempt(() => fs.realpathSync(at), "/nothing/" + path.basename(at));
      found[at] = real === root || real.startsWith(root + "/") ? folder + real.slice(root.length) : real;
    }
  }
  return Object.keys(found).length > 0 ? JSON.stringify(found) : "";
}
const project = { "claude-code": process.env.CLAUDE_PROJECT_DIR, gemini: process.env.GEMINI_PROJECT_DIR }[client];
const folder = path.resolve(project || event.cwd || process.cwd());
const [git, policyFile] = [".git", ".handrail.yaml"].map((name) => nearest(name, folder));
const policy = policyFile && fs.readFileSync(policyFile, "utf8");
const facts = { timeout: String(timeout), mode: option("--mode", "headless"), box: option("--box", "none"), call: randomUUID() };
Object.assign(facts, { onFailure: option("--on-failure", ""), policy: policy === null ? "-" : createHash("sha256").update(policy).digest("hex") });
Object.assign(facts, { home: os.homedir(), host: os.hostname(), user: os.userInfo().username, version, repository: repositoryOf(git), links: kind === "tell" ? "" : links() });
const address = url + "/agent-hooks/" + client + "?" + new URLSearchParams(Object.entries(facts).filter(([, value]) => value));
const headers = { authorization: "Bearer " + key, "content-type": "application/json" };
const post = (where, text, seconds) => fetch(where, { method: "POST", headers, body: text, redirect: "error", signal: AbortSignal.timeout(seconds * 1000) });
/** Prints an answer that is certainly Handrail's: its mark is there, and it is JSON. */
async function print(response) {
  const text = await response.text();
  if (response.headers.get("handrail-hook") !== client) stop("something else than Handrail answered, so the call was not run.");
  if (Object.keys(JSON.parse(text)).length > 0 && !isWithdrawn) process.stdout.write(text.trim() + "\n");
  process.exitCode = 0;
}
async function handOverPolicy() {
  const response = await post(url + "/api/v1/repository-policies", JSON.stringify({ text: policy }), 20);
  if (response.status !== 200) stop(policyFile + " was not accepted, so the call was not run: " + told(await response.text()));
}
async function ask() {
  above(watch);
  for (;;) {
    if (performance.now() > givesUpAt) stop("nobody decided in time, so the call was not run.");
    let problem;
    try {
      // The first request only asks, so that the call is known when somebody stops this program.
      const response = await post(address + "&wait=" + (isReached ? 25 : 0), body, 55), { status } = response;
      if (status === 200) return await print(response);
      problem = "it answered " + status + ".";
      const isOurs = response.headers.get("handrail-hook") === client;
      if (status === 428 && isOurs && policy !== null) await handOverPolicy();
      else if (status === 202 && isOurs) [isReached, openCall] = [true, response.headers.get("handrail-call")];
      else if (status < 500 && status !== 408 && status !== 429) stop("it refused the request (" + status + "): " + told(await response.text()));
    } catch (error) {
      problem = (error && ((error.cause && error.cause.message) || error.message)) || "unknown";
    }
    // Handrail may be restarting. A question that was asked stays open there, and the same id finds it again.
    if (!isReached && performance.now() > firstTries) stop("it cannot be reached, so the call was not run: " + problem);
    await new Promise((resolve) => setTimeout(resolve, /^it answered (?:202|428)/.test(problem) ? 0 : 1000));
  }
}
const cancel = async () => openCall && post(url + "/api/v1/guarded-calls/" + openCall + "/cancel", "", 3).catch(() => {});
const withdraw = () => { isWithdrawn = true; return cancel().then(() => stop("the hook was interrupted before it had an answer.")); };
/** The shell that started this program and the client above it. Some clients end without a word to their hooks. */
const above = (tell) => execFile("ps", ["-o", "ppid=", "-p", String(process.ppid)], (error, out) => tell(error && error.code === "ENOENT" ? "" : process.ppid + " " + out));
const watch = (first) => first && setInterval(() => above((now) => now === first || void withdraw()), 3000).unref();
kind === "tell" ? post(address, body, 20).then((response) => response.status === 200 && print(response)).catch(() => {}) : ask();
`;
