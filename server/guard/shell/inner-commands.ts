/** A command that runs another one: `sudo`, `env`, `timeout` ... */
type Wrapper = {
  /** Letters of the short options that take the next word as their value. */
  valued?: string;
  /** Long options that do. */
  valuedLong?: readonly string[];
  /** Words of its own before the command, such as timeout's duration. */
  operands?: number;
};

const wrappers: Record<string, Wrapper> = {
  sudo: { valued: "ugpCDhRTrtU", valuedLong: ["--user", "--group", "--prompt", "--chdir", "--host", "--chroot", "--role", "--type"] },
  doas: { valued: "uC" },
  env: { valued: "uCS", valuedLong: ["--unset", "--chdir", "--split-string"] },
  nohup: {},
  setsid: {},
  command: {},
  builtin: {},
  exec: { valued: "a" },
  nice: { valued: "n", valuedLong: ["--adjustment"] },
  ionice: { valued: "cnp", valuedLong: ["--class", "--classdata"] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  time: { valued: "fo", valuedLong: ["--format", "--output"] },
  timeout: { valued: "ks", valuedLong: ["--kill-after", "--signal"], operands: 1 },
  stdbuf: { valued: "ioe", valuedLong: ["--input", "--output", "--error"] },
  xargs: { valued: "aEILnPsd", valuedLong: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--replace", "--max-lines"] },
  parallel: { valued: "jN" },
  chroot: { valuedLong: ["--userspec", "--groups"], operands: 1 },
  unshare: { valued: "RSGw" },
  nsenter: { valued: "tSGrw" },
  flock: { valued: "wE", operands: 1 },
  strace: { valued: "eopsuPaAb" },
  ltrace: { valued: "eopsua" },
  fakeroot: {},
  busybox: {},
  toybox: {},
  "systemd-run": { valued: "pEu", valuedLong: ["--property", "--setenv", "--unit"] },
  watch: { valued: "n", valuedLong: ["--interval"] },
};
const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"]);
const valuedShellOptions = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/** What a command runs in its turn: other commands as words, and texts that a shell reads. */
export type InnerCommands = { commands: readonly (readonly string[])[]; scripts: readonly string[] };

const none: InnerCommands = { commands: [], scripts: [] };

/**
 * The commands inside a command.
 * @param name the command's name without its folder
 * @param input what stands on its standard input, where that is known
 */
export function innerCommandsOf(name: string, words: readonly string[], input: string | null): InnerCommands {
  const args = words.slice(1);
  if (shells.has(name)) return { commands: [], scripts: shellScriptsIn(args, input) };
  switch (name) {
    case "eval":
      return { commands: [], scripts: [args.join(" ")] };
    case "trap":
      return { commands: [], scripts: args.filter((word) => !word.startsWith("-")).slice(0, 1) };
    case "source":
    case ".":
      // `source <(echo ...)`: the word is what the substitution prints.
      return { commands: [], scripts: args.slice(0, 1) };
    case "su":
    case "script":
    case "runuser":
      return { commands: [], scripts: valuesOf(args, "-c", "--command") };
    case "find":
      return { commands: executedByFind(args), scripts: [] };
  }
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  return wrapper ? wrappedBy(name, wrapper, args, input) : none;
}

/** A shell's script: after -c, or else what it reads from its input or from a file that we know. */
function shellScriptsIn(args: readonly string[], input: string | null): string[] {
  let takesScript = false;
  let at = 0;
  while (at < args.length && /^[-+]./.test(args[at] ?? "")) {
    const option = args[at] ?? "";
    at += 1;
    if (option === "--") break;
    if (/^-[a-zA-Z]*c/.test(option)) takesScript = true;
    if (valuedShellOptions.has(option)) at += 1;
  }
  const operands = args.slice(at);
  if (takesScript) return operands.slice(0, 1);
  // `bash <(echo ...)`: the operand is what the substitution prints, which has blanks when it is a script of interest.
  return [...(input === null ? [] : [input]), ...operands.slice(0, 1).filter((word) => !word.includes("/"))];
}

function wrappedBy(name: string, { valued = "", valuedLong = [], operands = 0 }: Wrapper, args: readonly string[], input: string | null) {
  const scripts: string[] = [];
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    const isAssignment = (name === "env" || name === "sudo") && /^[A-Za-z_]\w*=/.test(word);
    if (!isAssignment && (!word.startsWith("-") || word === "-")) break;
    if (name === "env" && /^(-S|-[a-zA-Z]*S$|--split-string)/.test(word)) scripts.push(splitStringOf(args, at));
    at += takesNextWord(word, valued, valuedLong) ? 2 : 1;
  }
  const command = args.slice(at + operands);
  if (name === "flock" && command[0] === "-c") scripts.push(...command.slice(1, 2));
  if (name === "watch" || name === "parallel") scripts.push(command.join(" "));
  const fromInput = name === "xargs" && input !== null ? input.split(/\s+/).filter(Boolean) : [];
  return { commands: command.length > 0 ? [[...command, ...fromInput]] : [], scripts };
}

/** `env -S "text"` and everything after it is one command line. */
function splitStringOf(args: readonly string[], at: number): string {
  const option = args[at] ?? "";
  const attached = option.replace(/^(--split-string=?|-[a-zA-Z]*?S)/, "");
  return [attached, ...args.slice(at + 1)].join(" ").trim();
}

function takesNextWord(option: string, valued: string, valuedLong: readonly string[]): boolean {
  if (option.startsWith("--")) return valuedLong.includes(option);
  // In a cluster such as -nu, the last letter may take the next word; an earlier one has its value attached.
  const letters = option.slice(1);
  const first = [...letters].findIndex((letter) => valued.includes(letter));
  return first >= 0 && first === letters.length - 1;
}

function valuesOf(args: readonly string[], short: string, long: string): string[] {
  return args.flatMap((word, index) => {
    if (word === short || word === long) return args.slice(index + 1, index + 2);
    return word.startsWith(`${long}=`) ? [word.slice(long.length + 1)] : [];
  });
}

const findActions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function executedByFind(args: readonly string[]): string[][] {
  return args.flatMap((word, index) => {
    if (!findActions.has(word)) return [];
    const rest = args.slice(index + 1);
    const end = rest.findIndex((argument) => argument === ";" || argument === "+");
    return [end < 0 ? rest : rest.slice(0, end)];
  });
}
