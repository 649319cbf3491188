import { isLongOption } from "./long-option";

/** A command that runs another one, which it is given as words: `sudo`, `env`, `timeout` ... */
export type Wrapper = {
  /** Letters of the short options that take the next word as their value. */
  valued?: string;
  /** Long options that do. */
  valuedLong?: readonly string[];
  /** Words of its own before the command, such as timeout's duration. */
  operands?: number;
  /** Words like X=value may stand before the command. */
  assigns?: boolean;
  /** It runs the command only after one of these words: `kubectl exec pod -- ls`. */
  after?: readonly string[];
  /** It hands its words, joined, to a shell. */
  joins?: boolean;
  /** Each of its words is a script by itself. */
  runsEach?: boolean;
  /** Options whose value is a script. */
  scripts?: readonly string[];
  /** A word that may stand among its options and is none, such as the dash of `env -`. */
  between?: RegExp;
  /** Its options may stand behind its operands, too. */
  optionsLast?: boolean;
};

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    {
      valued: "ugpCDhRTrtU",
      valuedLong: ["--user", "--group", "--prompt", "--chdir", "--host", "--chroot", "--role", "--type", "--other-user", "--close-from"],
      assigns: true,
    },
  ],
  ["doas", { valued: "uC" }],
  ["pkexec", { valuedLong: ["--user"] }],
  ["env", { valued: "uCS", valuedLong: ["--unset", "--chdir", "--split-string"], assigns: true, between: /^-$/ }],
  ["nohup", {}],
  ["setsid", {}],
  ["command", {}],
  ["builtin", {}],
  ["exec", { valued: "a" }],
  ["nice", { valued: "n", valuedLong: ["--adjustment"] }],
  ["ionice", { valued: "cnp", valuedLong: ["--class", "--classdata"] }],
  ["chrt", { valued: "TPD", operands: 1 }],
  ["taskset", { operands: 1 }],
  ["time", { valued: "fo", valuedLong: ["--format", "--output"] }],
  ["timeout", { valued: "ks", valuedLong: ["--kill-after", "--signal"], operands: 1 }],
  ["stdbuf", { valued: "ioe", valuedLong: ["--input", "--output", "--error"] }],
  [
    "xargs",
    { valued: "aEILnPsd", valuedLong: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"] },
  ],
  ["parallel", { valued: "jNaISdCLnPs", valuedLong: ["--jobs", "--arg-file", "--colsep", "--delay", "--timeout"], joins: true }],
  ["chroot", { valuedLong: ["--userspec", "--groups"], operands: 1 }],
  ["unshare", { valued: "RSGw", valuedLong: ["--root", "--wd", "--setuid", "--setgid"] }],
  ["nsenter", { valued: "tSG", valuedLong: ["--target", "--setuid", "--setgid"] }],
  ["setpriv", { valuedLong: ["--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set"] }],
  ["capsh", { scripts: ["-c"] }],
  ["flock", { valued: "wE", valuedLong: ["--timeout", "--wait", "--conflict-exit-code"], operands: 1, scripts: ["-c", "--command"] }],
  ["strace", { valued: "eopsuPaAbEISXO" }],
  ["ltrace", { valued: "eopsuanDFlwx" }],
  ["valgrind", {}],
  [
    "perf",
    {
      after: ["record", "stat", "trace"],
      valued: "eoFcptCGIrxDmju",
      valuedLong: [
        "--event",
        "--output",
        "--freq",
        "--count",
        "--pid",
        "--tid",
        "--cpu",
        "--cgroup",
        "--repeat",
        "--field-separator",
        "--delay",
        "--call-graph",
      ],
    },
  ],
  ["gdb", { after: ["--args", "-args"] }],
  ["fakeroot", { valued: "lsib" }],
  ["fakechroot", {}],
  ["busybox", {}],
  ["toybox", {}],
  [
    "systemd-run",
    { valued: "puEHMGC", valuedLong: ["--property", "--setenv", "--unit", "--on-active", "--on-calendar", "--uid", "--gid"] },
  ],
  ["systemd-inhibit", {}],
  ["watch", { valued: "n", valuedLong: ["--interval"], joins: true }],
  [
    "setarch",
    { between: /^(?:i\d86|x86_64|amd64|athlon|linux\d\d|uname26|(?:arm|aarch|alpha|ia64|m68k|mips|parisc|ppc|riscv|s390|sh|sparc)\w*)$/ },
  ],
  ["linux32", {}],
  ["linux64", {}],
  ["prlimit", { valued: "p" }],
  ["cpulimit", { valued: "lpe", valuedLong: ["--limit", "--pid", "--exe"] }],
  ["choom", { valued: "np" }],
  ["unbuffer", {}],
  ["screen", { valued: "cehpstSTX" }],
  ["rlwrap", { valued: "afHlmpqsCDOPSwz" }],
  ["xvfb-run", { valued: "enfpsw", valuedLong: ["--server-args", "--server-num"] }],
  ["dbus-run-session", {}],
  ["dbus-launch", {}],
  ["ssh-agent", { valued: "aEt" }],
  ["sshpass", { valued: "pfd" }],
  ["torsocks", {}],
  ["torify", {}],
  ["proxychains", { valued: "f" }],
  ["proxychains4", { valued: "f" }],
  ["firejail", {}],
  ["bwrap", { after: ["--"] }],
  ["aa-exec", { valued: "pn", valuedLong: ["--profile", "--namespace"] }],
  ["cgexec", { valued: "g" }],
  ["numactl", { valued: "NmpiC" }],
  ["multitime", { valued: "nf" }],
  [
    "hyperfine",
    {
      valued: "wrmMpscunNSPDL",
      valuedLong: [
        "--warmup",
        "--runs",
        "--min-runs",
        "--max-runs",
        "--prepare",
        "--setup",
        "--cleanup",
        "--conclude",
        "--shell",
        "--command-name",
      ],
      runsEach: true,
      scripts: ["-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "--conclude"],
    },
  ],
  ["entr", {}],
  ["chpst", { valued: "uUe/nlLbmdopfc" }],
  ["softlimit", { valued: "acdflmoprst" }],
  ["catchsegv", {}],
  ["chronic", {}],
  ["ts", {}],
  ["tsp", {}],
  ["elvish", {}],
  ["kubectl", { after: ["--"] }],
  ["oc", { after: ["--"] }],
  ["ssh", { valued: "BbcDEeFIiJLlmOopQRSWw", operands: 1, optionsLast: true, joins: true }],
  ["rsh", { valued: "l", operands: 1, optionsLast: true, joins: true }],
  ["mosh", { operands: 1, optionsLast: true, joins: true }],
  ["direnv", { after: ["exec"], operands: 1 }],
  ["doppler", { after: ["run"], valued: "pct", valuedLong: ["--project", "--config", "--token", "--mount"] }],
  ["op", { after: ["run"], valuedLong: ["--env-file", "--account"] }],
  ["aws-vault", { after: ["exec"], operands: 1, optionsLast: true, valued: "dnt" }],
  ["dotenv", { after: ["--", "run"], valued: "fe" }],
  ["dotenvx", { after: ["run"], valued: "fe" }],
  ["infisical", { after: ["run"], valuedLong: ["--env", "--path", "--projectId", "--token"] }],
  [
    "uv",
    {
      after: ["run"],
      valued: "pifCPw",
      valuedLong: [
        "--with",
        "--with-editable",
        "--with-requirements",
        "--extra",
        "--group",
        "--only-group",
        "--no-group",
        "--no-extra",
        "--package",
        "--no-install-package",
        "--env-file",
        "--python",
        "--project",
        "--directory",
        "--config-file",
        "--cache-dir",
        "--index",
        "--default-index",
        "--index-url",
        "--extra-index-url",
        "--find-links",
      ],
    },
  ],
  ["poetry", { after: ["run"] }],
  ["pipenv", { after: ["run"] }],
  ["rye", { after: ["run"] }],
  ["hatch", { after: ["run"] }],
  ["pdm", { after: ["run"], valued: "p", valuedLong: ["--project", "--venv"] }],
  ["mise", { after: ["--"] }],
  ["asdf", { after: ["exec"] }],
  ["nix-shell", { after: ["--"], scripts: ["--run", "--command"] }],
  ["nix", { after: ["-c", "--command"] }],
  ["npx", { valued: "pcw", valuedLong: ["--package", "--call"], scripts: ["-c", "--call"] }],
  ["bundle", { after: ["exec"] }],
  ["conda", { after: ["run"], valued: "np", valuedLong: ["--name", "--prefix", "--cwd"] }],
  ["mamba", { after: ["run"], valued: "np", valuedLong: ["--name", "--prefix", "--cwd"] }],
  ["micromamba", { after: ["run"], valued: "npre", valuedLong: ["--name", "--prefix", "--cwd", "--env"] }],
  ["pixi", { after: ["run"], valued: "em", valuedLong: ["--environment", "--manifest-path"] }],
  ["caffeinate", { valued: "tw" }],
  ["sem", { valued: "jNaISdCLnPs", valuedLong: ["--jobs", "--id", "--timeout"], joins: true }],
  ["tini", { valued: "pe" }],
  ["dumb-init", { valued: "r" }],
  ["gosu", { operands: 1 }],
  ["su-exec", { operands: 1 }],
  [
    "run0",
    { valued: "ugD", valuedLong: ["--user", "--group", "--nice", "--chdir", "--setenv", "--unit", "--property", "--slice", "--machine"] },
  ],
  ["runcon", { valued: "utrl", valuedLong: ["--user", "--type", "--role", "--range"], between: /:/ }],
  ["faketime", { valued: "p", operands: 1 }],
  ["rr", { after: ["record"] }],
  ["heaptrack", { valued: "op" }],
  ["nocache", { valued: "n" }],
  ["eatmydata", {}],
  ["schedtool", { after: ["-e"] }],
  ["flatpak-spawn", {}],
  ["toolbox", { after: ["run"], valued: "cdr", valuedLong: ["--container", "--distro", "--release"] }],
  ["distrobox", { after: ["--", "-e"] }],
  ["systemd-cat", { valued: "tp", valuedLong: ["--identifier", "--priority"] }],
  ["logsave", { operands: 1 }],
  ["authbind", {}],
  ["dtach", { valued: "nNAacer" }],
  ["abduco", { valued: "nAace" }],
  ["daemonize", { valued: "acelopuE" }],
  ["taskpolicy", { valued: "bcdgst" }],
  ["arch", {}],
  ["envdir", { operands: 1 }],
  ["setlock", { operands: 1 }],
  ["setuidgid", { operands: 1 }],
  ["envuidgid", { operands: 1 }],
  ["pgrphack", {}],
  ["ifne", {}],
  ["pee", { runsEach: true }],
  ["mispipe", { runsEach: true }],
  ["execlineb", { scripts: ["-c"] }],
]);

/** Where the wrapped command begins among the arguments; null when there is none. */
export function wrappedAt(wrapper: Wrapper, args: readonly string[]): number | null {
  const { operands = 0, after, optionsLast } = wrapper;
  const word = after ? args.findIndex((candidate) => after.includes(candidate)) : -1;
  if (after && word < 0) return null;
  const operandsEnd = pastOptions(wrapper, args, word + 1) + operands;
  const at = optionsLast ? pastOptions(wrapper, args, operandsEnd) : operandsEnd;
  return at < args.length ? at : null;
}

function pastOptions({ valued = "", valuedLong = [], assigns = false, between }: Wrapper, args: readonly string[], start: number): number {
  let at = start;
  for (let word = args[at]; word !== undefined; word = args[at]) {
    if (word === "--") return at + 1;
    const isOption = word.startsWith("-") && word !== "-";
    if (!isOption && !(assigns && /^[A-Za-z_]\w*=/.test(word)) && !between?.test(word)) return at;
    at += takesNextWord(word, valued, valuedLong) ? 2 : 1;
  }
  return at;
}

/** Whether an option's value is the word after it. */
export function takesNextWord(option: string, valued: string, valuedLong: readonly string[]): boolean {
  if (option.startsWith("--")) return !option.includes("=") && valuedLong.some((long) => isLongOption(option, long));
  // In a cluster such as -nu, the last letter may take the next word; an earlier one has its value attached.
  for (let at = 1; at < option.length; at += 1) if (valued.includes(option.charAt(at))) return at === option.length - 1;
  return false;
}

export const isWrapper = (name: string): boolean => wrappers.has(name);
