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
  ["env", { valued: "uCS", valuedLong: ["--unset", "--chdir", "--split-string"], assigns: true }],
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
  ["capsh", {}],
  ["flock", { valued: "wE", valuedLong: ["--timeout", "--wait", "--conflict-exit-code"], operands: 1 }],
  ["strace", { valued: "eopsuPaAbEISXO" }],
  ["ltrace", { valued: "eopsuanDFlwx" }],
  ["valgrind", {}],
  ["perf", { after: ["record", "stat", "trace"] }],
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
  ["setarch", { operands: 1 }],
  ["linux32", {}],
  ["linux64", {}],
  ["prlimit", { valued: "p" }],
  ["cpulimit", { valued: "lpe", valuedLong: ["--limit", "--pid", "--exe"] }],
  ["choom", { valued: "np" }],
  ["unbuffer", {}],
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
  ["start-stop-daemon", { after: ["--"] }],
  ["multitime", { valued: "nf" }],
  ["hyperfine", { joins: true, valued: "wrmMpcu" }],
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
  ["ssh", { valued: "BbcDEeFIiJLlmOopQRSWw", operands: 1, joins: true }],
  ["rsh", { valued: "l", operands: 1, joins: true }],
  ["mosh", { operands: 1, joins: true }],
  ["direnv", { after: ["exec"], operands: 1 }],
  ["doppler", { after: ["--"] }],
  ["op", { after: ["--"] }],
  ["aws-vault", { after: ["--"] }],
  ["dotenv", { after: ["--"] }],
  ["uv", { after: ["run"] }],
  ["poetry", { after: ["run"] }],
  ["pipenv", { after: ["run"] }],
  ["rye", { after: ["run"] }],
  ["hatch", { after: ["run"] }],
  ["pdm", { after: ["run"] }],
  ["mise", { after: ["--"] }],
  ["asdf", { after: ["exec"] }],
  ["nix-shell", { after: ["--"] }],
  ["npx", { valued: "pcw", valuedLong: ["--package", "--call"] }],
  ["bundle", { after: ["exec"] }],
]);

/** Where the wrapped command begins among the arguments; null when there is none. */
export function wrappedAt(wrapper: Wrapper, args: readonly string[]): number | null {
  const { valued = "", valuedLong = [], operands = 0, assigns = false, after } = wrapper;
  let at = 0;
  if (after) {
    const start = args.findIndex((word) => after.includes(word));
    if (start < 0) return null;
    at = start + 1;
  }
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    const isAssignment = assigns && /^[A-Za-z_]\w*=/.test(word);
    if (!isAssignment && (!word.startsWith("-") || word === "-")) break;
    at += takesNextWord(word, valued, valuedLong) ? 2 : 1;
  }
  return at + operands < args.length ? at + operands : null;
}

/** Whether an option's value is the word after it. */
export function takesNextWord(option: string, valued: string, valuedLong: readonly string[]): boolean {
  if (option.startsWith("--")) return !option.includes("=") && valuedLong.some((long) => isLongOption(option, long));
  // In a cluster such as -nu, the last letter may take the next word; an earlier one has its value attached.
  for (let at = 1; at < option.length; at += 1) if (valued.includes(option.charAt(at))) return at === option.length - 1;
  return false;
}

export const isWrapper = (name: string): boolean => wrappers.has(name);
