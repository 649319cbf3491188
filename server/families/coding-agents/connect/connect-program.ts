/**
 * The program that writes the settings of a coding agent on somebody's machine, and takes them out again. What others have
 * written stays; a second run changes nothing. It checks settings and key before it writes anything. It runs where
 * `handrail-hook.cjs` and `hook.json` lie.
 */
export const connectProgram = String.raw`"use strict";
// connect.cjs <client> [--undo] [--project] [--mode headless|desk|defer] [--box none|agent|container]
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawnSync } = require("node:child_process");

const [client = "", ...options] = process.argv.slice(2);
const given = { mode: "headless", box: "none", undo: false, project: false };
const choices = { mode: ["headless", "desk", "defer"], box: ["none", "agent", "container"] };
for (let at = 0; at < options.length; at += 1) {
  const [option, name] = [options[at], options[at].replace(/^--/, "")];
  if (option === "--undo" || option === "--project") given[name] = true;
  else if (option !== "--mode" && option !== "--box") fail(option + " is no option. There are --undo, --project, --mode and --box. Nothing was changed.");
  else if (choices[name].includes(options[at + 1])) given[name] = options[(at += 1)];
  else fail(option + " takes one of these: " + choices[name].join(", ") + ". Nothing was changed.");
}
const { mode, box, undo: isUndo } = given;
const base = given.project ? process.cwd() : os.homedir();
const program = path.join(__dirname, "handrail-hook.cjs");
const mark = "handrail-hook.cjs";
const seconds = 3600;

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
/** The project's settings are for everybody who works in it, so they name no person's home. */
const isShared = given.project && path.dirname(program) === path.join(process.env.XDG_CONFIG_HOME || path.join(os.homedir(), ".config"), "handrail");
const programWord = isShared ? '"${"$"}{XDG_CONFIG_HOME:-$HOME/.config}/handrail/handrail-hook.cjs"' : quoted(program);
const programCode = isShared ? '(process.env.XDG_CONFIG_HOME || process.env.HOME + "/.config") + "/handrail/handrail-hook.cjs"' : JSON.stringify(program);
const hook = (kind) => "node " + programWord + " " + client + " " + kind + " --timeout " + seconds + " --mode " + mode + " --box " + box + (client === "claude-code" ? " --on-failure block" : "");
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
    besides: [path.join(os.homedir(), ".claude", "settings.json"), ...(given.project ? [path.join(base, ".claude", "settings.local.json")] : [])],
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

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isOurs = (entry) => JSON.stringify(entry).includes(mark);

/** Takes our hooks out of an entry, where those of others may stand beside them; null when nothing is left. */
function withoutOurs(entry) {
  if (!isOurs(entry)) return entry;
  const others = Array.isArray(entry.hooks) ? entry.hooks.filter((hook) => !isOurs(hook)) : [];
  return others.length > 0 ? { ...entry, hooks: others } : null;
}

function fail(sentence) {
  process.stderr.write(sentence + "\n");
  process.exit(1);
}

function read(file) {
  if (!fs.existsSync(file)) return {};
  try {
    const kept = JSON.parse(fs.readFileSync(file, "utf8"));
    if (isObject(kept)) return kept;
  } catch {}
  return fail(file + " is not a JSON object, so nothing was changed. Mend it, then run this again.");
}

/** Reads the hooks in settings, as lists by their events. */
function hooksIn(file, { hooks = {} }) {
  if (isObject(hooks) && Object.values(hooks).every(Array.isArray)) return hooks;
  return fail("The hooks in " + file + " are not lists by their events, so nothing was changed. Mend them, then run this again.");
}

/** Refuses settings by which the client runs no hooks at all. */
function demandHooksOn(file) {
  const kept = read(file);
  const off = kept.disableAllHooks === true ? '"disableAllHooks": true' : isObject(kept.hooksConfig) && kept.hooksConfig.enabled === false ? '"hooksConfig": {"enabled": false}' : null;
  if (off && !isUndo) fail(file + " says " + off + ", so the client runs no hooks. Take it out, then run this again. Nothing was changed.");
  return kept;
}

/** Replaces a file with its rights. Where a link leads to it, the link stays. */
function write(named, text) {
  fs.mkdirSync(path.dirname(named), { recursive: true });
  const file = fs.existsSync(named) ? fs.realpathSync(named) : named;
  fs.writeFileSync(file + ".new", text, { mode: fs.existsSync(file) ? fs.statSync(file).mode & 0o777 : 0o600 });
  fs.renameSync(file + ".new", file);
}

/** Checks the settings, and returns what writes them. */
function planSettings({ file, besides = [], version, hooks, then }) {
  for (const other of besides) demandHooksOn(other);
  const kept = demandHooksOn(file);
  const others = Object.entries(hooksIn(file, kept)).map(([event, list]) => [event, list.map(withoutOurs).filter((entry) => entry !== null)]);
  const all = Object.fromEntries(others.filter(([, list]) => list.length > 0));
  if (!isUndo) for (const [event, list] of Object.entries(hooks())) all[event] = [...(all[event] || []), ...list];
  const { hooks: _, ...rest } = kept;
  const made = { ...(version && !isUndo ? { version } : {}), ...rest, ...(Object.keys(all).length > 0 ? { hooks: all } : {}) };
  const text = JSON.stringify(made, null, 2) + "\n";
  return () => {
    const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
    if (before === text || (isUndo && before === null)) return process.stdout.write(file + " is as it should be.\n");
    if (before !== null && !fs.existsSync(file + ".before-handrail")) fs.copyFileSync(file, file + ".before-handrail");
    write(file, text);
    process.stdout.write(file + (isUndo ? " has no hooks of Handrail any more.\n" : " has the hooks of Handrail. Other settings stay.\n"));
    if (isUndo) return;
    process.stdout.write(then + "\n");
    if (isShared) process.stdout.write("Everybody who works in this project has to connect a machine, too: where the hook is not installed, every call is blocked.\n");
  };
}

function planPlugin() {
  const file = path.join(base, base === os.homedir() ? ".config/opencode" : ".opencode", "plugins", "handrail.js");
  return () => {
    if (isUndo) {
      fs.rmSync(file, { force: true });
      return process.stdout.write(file + " is removed.\n");
    }
    write(file, fs.readFileSync(path.join(__dirname, "handrail-opencode.js"), "utf8").replaceAll("{{program}}", () => programCode));
    process.stdout.write(file + " is written. Start opencode anew.\n");
  };
}

const keyFile = path.join(__dirname, "hook.json");

/** Returns the address and the key; a kept key is sent to no other address. */
function access() {
  const kept = read(keyFile);
  const { HANDRAIL_URL, HANDRAIL_KEY } = process.env;
  return HANDRAIL_KEY ? { url: HANDRAIL_URL || kept.url, key: HANDRAIL_KEY } : { url: kept.url, key: kept.key };
}

/** Tells Handrail of the connection or its end, so that its page shows a client that never asks. Returns a sentence about a failure. */
async function tell({ url, key }) {
  if (!url || !key) return null;
  const headers = { authorization: "Bearer " + key, "content-type": "application/json" };
  const more = { headers, redirect: "error", signal: AbortSignal.timeout(20000) };
  const address = url + "/api/v1/coding-connections";
  try {
    const response = isUndo
      ? await fetch(address + "?" + new URLSearchParams({ client, host: os.hostname() }), { method: "DELETE", ...more })
      : await fetch(address, { method: "POST", body: JSON.stringify(connection()), ...more });
    if (response.ok) return null;
    return response.status === 401 || response.status === 403 ? "Handrail did not take the key (" + response.status + ")." : "Handrail answered " + response.status + ".";
  } catch {
    return "Handrail could not be reached at " + url + ".";
  }
}

function connection() {
  const program = { "claude-code": "claude", cursor: "cursor-agent" }[client] || client;
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 10000 });
  const version = (/\d+(\.\d+)+/.exec(stdout || "") || [])[0];
  return { client, version, host: os.hostname(), user: os.userInfo().username, mode };
}

async function main() {
  if (client !== "opencode" && !Object.hasOwn(clients, client)) fail("Name a client: " + [...Object.keys(clients), "opencode"].join(", ") + ".");
  const apply = client === "opencode" ? planPlugin() : planSettings(clients[client]);
  const own = access();
  const problem = await tell(own);
  if (problem !== null && !isUndo) fail(problem + " Nothing was changed, because every call would be blocked.");
  if (!isUndo && process.env.HANDRAIL_KEY && own.url) write(keyFile, JSON.stringify(own) + "\n");
  apply();
  if (problem !== null) process.stdout.write(problem + " Its page Coding agents may show this machine as connected.\n");
}

main();
`;
