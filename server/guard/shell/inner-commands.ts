import { attachedValue, isLongOption } from "./long-option";
import { quoted } from "./quoted";
import { commandsOfXargs, scriptsOfParallel } from "./run-on-each";
import { type Wrapper, wrappedAt, wrappers } from "./wrappers";

const shells = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "pdksh",
  "lksh",
  "ash",
  "rbash",
  "posh",
  "yash",
  "csh",
  "tcsh",
  "fish",
  "sash",
  "elvish",
  "xonsh",
  "osh",
]);
const valuedShellOptions = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

export const isShell = (name: string): boolean => shells.has(name);

/** What a command runs in its turn: other commands as words, and texts that a shell reads. */
export type InnerCommands = { commands: readonly (readonly string[])[]; scripts: readonly string[] };

const none: InnerCommands = { commands: [], scripts: [] };

/**
 * The commands inside a command.
 * @param name the command's name without its folder
 * @param input what stands on its standard input, where that is known
 */
export function innerCommandsOf(name: string, words: readonly string[], input: string | null): InnerCommands {
  // Shells pass `time` over as a word of their own; where it is a program, these are its options: `time -o file ls`.
  if (/^-./.test(name)) return wrappedBy("time", words, input);
  const wrapper = wrappers.get(name);
  if (wrapper) return wrappedBy(name, words.slice(1), input);
  if (shells.has(name)) return { commands: [], scripts: shellScriptsIn(words.slice(1), input) };
  const run = runners.get(name);
  return run ? run(words.slice(1), input) : none;
}

/** Whether a command may run other ones by itself. */
export const runsOthers = (name: string): boolean => wrappers.has(name) || runners.has(name) || shells.has(name);

type Runner = (args: readonly string[], input: string | null) => InnerCommands;

/** `. /dev/stdin` reads its input; any other file is only known when it runs. */
function sourced([file = "", ...args]: readonly string[], input: string | null): InnerCommands {
  return script(file, ...(input !== null && isStandardInput.test(file) ? [withArguments(input, null, args)] : []));
}

const isStandardInput = /^(-|\/dev\/(stdin|fd\/\d+)|\/proc\/(self|\$\$|\d+)\/fd\/\d+)$/;

const script = (...scripts: readonly string[]): InnerCommands => ({ commands: [], scripts });

const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ["eval", (args) => script((args[0] === "--" ? args.slice(1) : args).join(" "))],
  ["trap", (args) => script(...args.filter((word) => !word.startsWith("-")).slice(0, 1))],
  // `source <(echo ...)`: the word is what the substitution prints.
  ["source", sourced],
  [".", sourced],
  ["alias", (args) => script(...args.flatMap((word) => (word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : [])))],
  ["mapfile", (args) => script(...valuesOf(args, ["-C"]))],
  ["readarray", (args) => script(...valuesOf(args, ["-C"]))],
  ["su", (args) => script(...valuesOf(args, ["-c", "--command", "--session-command"]))],
  ["runuser", runAsUser],
  ["sg", (args) => script(...valuesOf(args, ["-c"]), ...args.slice(1, 2))],
  ["script", (args) => script(...valuesOf(args, ["-c", "--command"]))],
  ["at", (_, input) => script(...(input === null ? [] : [input]))],
  ["batch", (_, input) => script(...(input === null ? [] : [input]))],
  ["find", (args) => ({ commands: executedByFind(args), scripts: [] })],
  ["fd", (args) => ({ commands: executedByFd(args), scripts: [] })],
  ["fdfind", (args) => ({ commands: executedByFd(args), scripts: [] })],
  ["tmux", (args) => script(...args.slice(-1))],
  ["start-stop-daemon", startedDaemon],
  ["docker", runInContainer],
  ["podman", runInContainer],
]);

/** A shell's script: after -c, or else what it reads from its input or from a file that we know. */
function shellScriptsIn(args: readonly string[], input: string | null): string[] {
  let takesScript = false;
  let readsInput = false;
  let at = 0;
  while (at < args.length && /^[-+]./.test(args[at] ?? "")) {
    const option = args[at] ?? "";
    at += 1;
    if (option === "--") break;
    if (/^-[a-zA-Z]*c/.test(option)) takesScript = true;
    if (/^-[a-zA-Z]*s/.test(option)) readsInput = true;
    if (valuedShellOptions.has(option) || /^[-+][a-zA-Z]*[oO]$/.test(option)) at += 1;
  }
  const [operand, ...rest] = args.slice(at);
  if (takesScript) return operand === undefined ? [] : [withArguments(operand, rest[0] ?? null, rest.slice(1))];
  if (operand === undefined || readsInput) return input === null ? [] : [withArguments(input, null, args.slice(at))];
  const piped = input === null ? [] : [withArguments(input, null, isStandardInput.test(operand) ? rest : [])];
  // `bash <(echo ...)`: the operand is what the substitution prints, which has blanks when it is a script of interest.
  return operand.includes("/") && !/[\s;|&]/.test(operand) ? piped : [...piped, operand];
}

/** A script that is given the name that it is called by, and arguments: `sh -c 'rm "$0" "$1"' x y`. */
function withArguments(script: string, calledBy: string | null, args: readonly string[]): string {
  if (!script.includes("$")) return script;
  const name = calledBy !== null && /\$\{?0/.test(script) ? `printf -v 0 %s ${quoted(calledBy)}\n` : "";
  return args.length === 0 ? name + script : `${name}set -- ${args.map(quoted).join(" ")}\n${script}`;
}

function wrappedBy(name: string, args: readonly string[], input: string | null): InnerCommands {
  const wrapper = wrappers.get(name) ?? {};
  const scripts: string[] = [];
  const start = wrappedAt(wrapper, args);
  if (start !== null && onlyLooksUp(name, args.slice(0, start))) return none;
  const command = start === null ? [] : args.slice(start);
  const options = args.slice(0, start ?? args.length);
  if (name === "env") scripts.push(...splitStringIn(options, command));
  if (wrapper.scripts) scripts.push(...valuesOf(args, wrapper.scripts));
  if (name === "parallel") scripts.push(...scriptsOfParallel(options, command, input));
  else if (wrapper.joins && command.length > 0) scripts.push(command.join(" "));
  if (wrapper.runsEach) scripts.push(...command);
  return { commands: name === "xargs" ? commandsOfXargs(options, command, input) : command.length > 0 ? [command] : [], scripts };
}

const runuserOptions: Wrapper = {
  valued: "ugGcsw",
  valuedLong: ["--user", "--group", "--supp-group", "--command", "--session-command", "--shell", "--whitelist-environment"],
};

/** `runuser me -c ls` hands a script to a shell, and `runuser -u me ls` runs the command itself. */
function runAsUser(args: readonly string[]): InnerCommands {
  const at = valuesOf(args, ["-u", "--user"]).length > 0 ? wrappedAt(runuserOptions, args) : null;
  return { commands: at === null ? [] : [args.slice(at)], scripts: valuesOf(args, ["-c", "--command", "--session-command"]) };
}

/** `start-stop-daemon --start --exec program -- arguments`: the program stands in an option. */
function startedDaemon(args: readonly string[]): InnerCommands {
  const end = args.indexOf("--");
  const given = end < 0 ? [] : args.slice(end + 1);
  // `--start` is whole, although `--startas` begins with it.
  const options = (end < 0 ? args : args.slice(0, end)).filter((word) => word !== "--start");
  const programs = valuesOf(options, ["-x", "--exec", "-a", "--startas"]);
  return {
    commands: [...programs.map((program) => [program, ...given]), ...(programs.length === 0 && given.length > 0 ? [given] : [])],
    scripts: [],
  };
}

/** `command -v reboot` says where reboot is, and `sudo -l reboot` whether it may run: neither runs it. */
function onlyLooksUp(name: string, options: readonly string[]): boolean {
  if (name === "command") return options.some((word) => /^-[pvV]*[vV][pvV]*$/.test(word));
  return name === "sudo" && /^(-l+|--list)$/.test(options[0] ?? "");
}

/** The folder to which a command goes before it runs another one, as `env -C folder` does; null when it stays. */
export function folderFor(name: string, words: readonly string[], wrapped: readonly string[]): string | null {
  if (name !== "env" && name !== "sudo") return null;
  const options = words.slice(1, Math.max(1, words.length - wrapped.length));
  return valuesOf(options, [name === "env" ? "-C" : "-D", "--chdir"])[0] ?? null;
}

/** `env -S "text"` and everything after it is one command line. */
function splitStringIn(options: readonly string[], command: readonly string[]): string[] {
  const at = options.findIndex((word) => /^-[a-zA-Z]*S/.test(word) || isLongOption(word, "--split-string"));
  if (at < 0) return [];
  const word = options[at] ?? "";
  const attached = word.startsWith("--") ? (attachedValue(word) ?? "") : word.replace(/^-[a-zA-Z]*?S/, "");
  return [[attached, ...options.slice(at + 1), ...command].join(" ").trim()];
}

/** Values of options that are written `-c value`, `-cvalue`, `-xc value`, `--command=value` or `--command value`. */
export function valuesOf(args: readonly string[], options: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    if (!word.startsWith("-")) return [];
    for (const option of options) {
      const attached = option.startsWith("--") ? valueOfLong(word, option) : valueOfLetter(word, option.charAt(1));
      if (attached !== null) return attached === "" ? args.slice(index + 1, index + 2) : [attached];
    }
    return [];
  });
}

/** Null when the word is another option; an empty text when the value is the next word. */
function valueOfLong(word: string, option: string): string | null {
  return isLongOption(word, option) ? (attachedValue(word) ?? "") : null;
}

function valueOfLetter(word: string, letter: string): string | null {
  const at = word.indexOf(letter, 1);
  // In a cluster of short options such as -qc, all before it are letters.
  return at > 0 && /^[a-zA-Z]*$/.test(word.slice(1, at)) ? word.slice(at + 1) : null;
}

const findActions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function executedByFind(args: readonly string[]): string[][] {
  const commands: string[][] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!findActions.has(args[at] ?? "")) continue;
    const start = at + 1;
    while (at + 1 < args.length && args[at + 1] !== ";" && args[at + 1] !== "+") at += 1;
    commands.push(args.slice(start, at + 1));
  }
  return commands;
}

function executedByFd(args: readonly string[]): string[][] {
  const at = args.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(word));
  return at < 0 ? [] : [args.slice(at + 1)];
}

const containerOptions = /^(-[eivpuwhlm]|--(env|volume|publish|user|workdir|name|network|mount|entrypoint|hostname|label|memory|cpus))$/;

/** `docker run image command`, `docker exec container command`: what runs in the container, which may have our files. */
function runInContainer(args: readonly string[]): InnerCommands {
  const verb = args.findIndex((word) => word === "run" || word === "exec");
  if (verb < 0) return none;
  let at = verb + 1;
  while (at < args.length && (args[at] ?? "").startsWith("-")) at += containerOptions.test(args[at] ?? "") ? 2 : 1;
  return { commands: [args.slice(at + 1)], scripts: [] };
}
