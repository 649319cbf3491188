/**
 * The program that writes the settings of a coding agent on somebody's machine, and takes them out again. What others have
 * written stays; a second run changes nothing. It runs where `handrail-hook.cjs` and `hook.json` lie.
 */
export const connectProgram = String.raw`"use strict";
// connect.cjs <client> [--undo] [--project] [--mode headless|desk|defer] [--box none|agent|container]
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawnSync } = require("node:child_process");

const [client = "", ...options] = process.argv.slice(2);
const isUndo = options.includes("--undo");
const mode = options.includes("--mode") ? options[options.indexOf("--mode") + 1] : "headless";
const box = options.includes("--box") ? options[options.indexOf("--box") + 1] : "none";
const base = options.includes("--project") ? process.cwd() : os.homedir();
const program = path.join(__dirname, "handrail-hook.cjs");
const mark = "handrail-hook.cjs";
const seconds = 3600;

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
const hook = (kind) => "node " + quoted(program) + " " + client + " " + kind + " --timeout " + seconds + " --mode " + mode + " --box " + box + (client === "claude-code" ? " --on-failure block" : "");
/** Codex and Gemini run the call when a signal kills the shell of their hook, and after a silent exit code 2. */
const isOpenToSignals = ["codex", "gemini"].includes(client);
const askLine = () => (isOpenToSignals ? "trap : INT TERM HUP; " + hook("ask") + " || eval 'echo \"Handrail did not allow the call.\" >&2; exit 2'" : hook("ask") + " || exit 2");
const line = (kind) => (kind === "ask" ? askLine() : hook("tell") + " || true");

/** One entry of each event; ask: before a call, tell: after it. */
const claudeLike = (ask, tell, unit, more) => ({
  ...Object.fromEntries(ask.map((event) => [event, [{ matcher: "*", hooks: [{ type: "command", command: line("ask"), timeout: seconds * unit, ...more }] }]])),
  ...Object.fromEntries(tell.map((event) => [event, [{ hooks: [{ type: "command", command: line("tell"), timeout: 30 * unit }] }]])),
});
const plain = (ask, tell, entry) => ({
  ...Object.fromEntries(ask.map((event) => [event, [entry("ask", seconds)]])),
  ...Object.fromEntries(tell.map((event) => [event, [entry("tell", 30)]])),
});

const clients = {
  "claude-code": {
    file: path.join(base, ".claude", "settings.json"),
    hooks: () => claudeLike(mode === "desk" ? ["PreToolUse", "PermissionRequest"] : ["PreToolUse"], ["PostToolUse", "PostToolUseFailure", "SessionStart", "SessionEnd"], 1, { onFailure: "block" }),
    then: "Start Claude Code anew. Versions before 2.1.295 let a call run when its hook fails: update them.",
  },
  codex: {
    file: path.join(base, ".codex", "hooks.json"),
    hooks: () => claudeLike(["PreToolUse"], ["PostToolUse", "SessionStart"], 1, {}),
    then: "ACTION REQUIRED: start codex, type /hooks and trust the hooks of Handrail. Until then Codex ignores them without a word.",
  },
  gemini: {
    file: path.join(base, ".gemini", "settings.json"),
    hooks: () => claudeLike(["BeforeTool"], ["AfterTool", "SessionStart", "SessionEnd"], 1000, { name: "handrail" }),
    then: "Start Gemini CLI anew.",
  },
  copilot: {
    file: path.join(base, base === os.homedir() ? ".copilot" : ".github", "hooks", "handrail.json"),
    version: 1,
    hooks: () => plain(["preToolUse"], ["postToolUse", "sessionStart", "sessionEnd"], (kind, time) => ({ type: "command", bash: line(kind), timeoutSec: time })),
    then: "Start Copilot CLI anew.",
  },
  cursor: {
    file: path.join(base, ".cursor", "hooks.json"),
    version: 1,
    hooks: () => plain(["preToolUse"], ["postToolUse", "sessionStart", "sessionEnd"], (kind, time) => ({ command: line(kind), timeout: time, ...(kind === "ask" ? { failClosed: true } : {}) })),
    then: "Start Cursor anew.",
  },
};

const isOurs = (entry) => JSON.stringify(entry).includes(mark);

function fail(sentence) {
  process.stderr.write(sentence + "\n");
  process.exit(1);
}

function read(file) {
  if (!fs.existsSync(file)) return {};
  try {
    const kept = JSON.parse(fs.readFileSync(file, "utf8"));
    if (kept && typeof kept === "object" && !Array.isArray(kept)) return kept;
  } catch {}
  return fail(file + " is not a JSON object, so nothing was changed. Mend it, then run this again.");
}

/** Replaces a file with its rights. Where a link leads to it, the link stays. */
function write(named, text) {
  fs.mkdirSync(path.dirname(named), { recursive: true });
  const file = fs.existsSync(named) ? fs.realpathSync(named) : named;
  fs.writeFileSync(file + ".new", text, { mode: fs.existsSync(file) ? fs.statSync(file).mode & 0o777 : 0o600 });
  fs.renameSync(file + ".new", file);
}

function change({ file, version, hooks, then }) {
  const kept = read(file);
  const others = Object.entries(kept.hooks || {}).map(([event, list]) => [event, Array.isArray(list) ? list.filter((entry) => !isOurs(entry)) : list]);
  const all = Object.fromEntries(others.filter(([, list]) => !Array.isArray(list) || list.length > 0));
  if (!isUndo) for (const [event, list] of Object.entries(hooks())) all[event] = [...(all[event] || []), ...list];
  const { hooks: _, ...rest } = kept;
  const made = { ...(version && !isUndo ? { version } : {}), ...rest, ...(Object.keys(all).length > 0 ? { hooks: all } : {}) };
  const text = JSON.stringify(made, null, 2) + "\n";
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
  if (before === text || (isUndo && before === null)) return process.stdout.write(file + " is as it should be.\n");
  if (before !== null && !fs.existsSync(file + ".before-handrail")) fs.copyFileSync(file, file + ".before-handrail");
  write(file, text);
  process.stdout.write(file + (isUndo ? " has no hooks of Handrail any more.\n" : " has the hooks of Handrail. What others wrote there stays.\n"));
  if (!isUndo) process.stdout.write(then + "\n");
}

function changePlugin() {
  const file = path.join(base, base === os.homedir() ? ".config/opencode" : ".opencode", "plugins", "handrail.js");
  if (isUndo) {
    fs.rmSync(file, { force: true });
    return process.stdout.write(file + " is removed.\n");
  }
  write(file, fs.readFileSync(path.join(__dirname, "handrail-opencode.js"), "utf8").replaceAll("{{program}}", JSON.stringify(program)));
  process.stdout.write(file + " is written. Start opencode anew.\n");
}

/** Tells Handrail of the connection, so that its page shows a client that never asks. */
async function noteConnection() {
  const settings = path.join(__dirname, "hook.json");
  const kept = fs.existsSync(settings) ? JSON.parse(fs.readFileSync(settings, "utf8")) : {};
  const url = process.env.HANDRAIL_URL || kept.url;
  const key = process.env.HANDRAIL_KEY || kept.key;
  if (isUndo || !url || !key) return;
  const program = { "claude-code": "claude", cursor: "cursor-agent" }[client] || client;
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 10000 });
  const version = (/\d+(\.\d+)+/.exec(stdout || "") || [])[0];
  const body = JSON.stringify({ client, version, host: os.hostname(), user: os.userInfo().username, mode });
  const headers = { authorization: "Bearer " + key, "content-type": "application/json" };
  try {
    const response = await fetch(url + "/api/v1/coding-connections", { method: "POST", headers, body, redirect: "error", signal: AbortSignal.timeout(10000) });
    if (!response.ok) process.stdout.write("Handrail did not take the key (" + response.status + "): every call will be blocked until it does.\n");
  } catch (error) {
    process.stdout.write("Handrail could not be reached at " + url + ": every call will be blocked until it can.\n");
  }
}

if (client === "opencode") changePlugin();
else if (clients[client]) change(clients[client]);
else fail("Name a client: " + [...Object.keys(clients), "opencode"].join(", ") + ".");
noteConnection();
`;
