import path from "node:path";

/** Kinds of what a rule for readers does not give, the gravest first. */
const violationKinds = ["execute", "write", "delete", "connect", "read outside", "look outside", "read a secret"] as const;

/** Something that a script did and that a rule for readers does not give. */
export type Violation = { kind: (typeof violationKinds)[number]; what: string };

const systemPrefixes = ["/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/", "/etc/ld.so", "/etc/locale", "/sys/fs/cgroup"];
const systemFiles = new Set([
  ...["/", "/usr", "/bin", "/lib", "/lib64", "/sbin", "/dev", "/etc", "/proc"].map((folder) => `${folder}`),
  ..."/etc/passwd /etc/group /etc/nsswitch.conf /etc/localtime /etc/magic /etc/magic.mgc /etc/magic.mime /etc/selinux /etc/selinux/config".split(
    " ",
  ),
  ..."/dev/null /dev/tty /proc/filesystems /proc/mounts /proc/self/mountinfo /proc/self/mounts /proc/self/maps /proc/self/stat".split(" "),
  ..."/proc/self/status /proc/sys/kernel/ngroups_max /proc/self/cgroup /proc/stat /proc/self/attr/current".split(" "),
]);
/** Wrappers that an allow rule sees through: they run nothing but what stands behind them. */
const wrappers = ["timeout", "env", "nice", "nohup", "xargs", "time", "command", "stdbuf"];
const changes =
  /^(creat|mkdir|mkdirat|mknod|mknodat|link|linkat|symlink|symlinkat|truncate|chmod|fchmodat|chown|lchown|fchownat|utimensat|rename|renameat|renameat2)$/;
const deletes = /^(unlink|unlinkat|rmdir)$/;
const reads = /^(newfstatat|stat|lstat|statx|access|faccessat|faccessat2|readlink|readlinkat|chdir)$/;
const opens = /^(open|openat|openat2)$/;
const callLine = /^\d+\s+(\w+)\((.*)\)\s+= (.*)$/s;

/**
 * Reads what strace wrote of one script.
 * @param programs names that the rule covers
 */
export function violationsIn(lines: readonly string[], folder: string, programs: ReadonlySet<string>): Violation[] {
  const found: Violation[] = [];
  let isFirst = true;
  for (const line of joined(lines)) {
    const call = callLine.exec(line);
    if (!call) continue;
    const [, name = "", args = "", result = ""] = call;
    const violation = violationOf(name, args, result, { folder, programs, isFirst });
    if (name === "execve") isFirst = false;
    if (violation) found.push(violation);
  }
  const distinct = [...new Map(found.map((one) => [`${one.kind} ${one.what}`, one])).values()];
  return distinct.sort((a, b) => violationKinds.indexOf(a.kind) - violationKinds.indexOf(b.kind));
}

/** strace splits a call that another process interrupts: its two halves are put together again. */
function joined(lines: readonly string[]): string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const pid = line.slice(0, line.search(/\s/));
    if (line.endsWith(" <unfinished ...>")) {
      begun.set(pid, line.slice(0, -" <unfinished ...>".length));
      return [];
    }
    const resumed = /^\d+\s+<\.\.\. \w+ resumed>(.*)$/s.exec(line);
    return [resumed ? `${begun.get(pid) ?? ""}${resumed[1]}` : line];
  });
}

type TraceContext = { folder: string; programs: ReadonlySet<string>; isFirst: boolean };

function violationOf(name: string, args: string, result: string, { folder, programs, isFirst }: TraceContext): Violation | null {
  if (name === "execve" || name === "execveat") {
    const program = firstPath(args);
    // The first one is the shell itself.
    if (isFirst || programs.has(path.basename(program)) || wrappers.includes(path.basename(program))) return null;
    return { kind: "execute", what: program };
  }
  if (name === "kill") return { kind: "execute", what: `kill ${args}` };
  if (name === "connect" || name === "bind") return /nscd\/socket/.test(args) ? null : { kind: "connect", what: args };
  const target = targetOf(args, result, folder);
  if (target === null) return null;
  // Temporary files of programs that sort or reverse their input.
  if (/^\/tmp\/(?:sort|tac)\w{6}$/.test(target)) return null;
  if (deletes.test(name)) return { kind: "delete", what: target };
  if (changes.test(name)) return { kind: "write", what: target };
  if (reads.test(name)) {
    // Everybody may list the root.
    const isSeen = isOnTheWay(args, target, folder) || /^\/[^/]*$/.test(target);
    return isOutside(target, folder) && !isSeen ? { kind: "look outside", what: target } : null;
  }
  if (!opens.test(name)) return null;
  if (/O_(WRONLY|RDWR|CREAT|TRUNC)/.test(args) && !/^\/dev\/(null|tty)$|^\/tmp\/sh-thd/.test(target))
    return { kind: "write", what: target };
  if (isOutside(target, folder)) return { kind: "read outside", what: target };
  const isSecret = /\/\.env$|\/\.ssh\/id_rsa$/.test(target) && !result.startsWith("-1");
  return isSecret ? { kind: "read a secret", what: target } : null;
}

const firstPath = (args: string) => /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] ?? "";

/** The file that a call is about: the one that it really opened, links included, or else the one that its words name. */
function targetOf(args: string, result: string, folder: string): string | null {
  const opened = /^\d+<(\/.*)>$/.exec(result)?.[1];
  if (opened) return opened.replace(/ \(deleted\)$/, "").replace(/<char .*$/, "");
  const from = /^(?:AT_FDCWD|\d+)<([^>]*)>/.exec(args)?.[1] ?? folder;
  const named = firstPath(args);
  if (named === "" && !args.includes('""')) return null;
  if (named === "") return from.startsWith("/") ? from : null;
  return from.startsWith("/") ? path.resolve(from, named) : null;
}

function isOutside(target: string, folder: string): boolean {
  if (target === folder || target.startsWith(`${folder}/`)) return false;
  if (systemFiles.has(target) || systemPrefixes.some((prefix) => target.startsWith(prefix))) return false;
  if (/^\/dev\/(pts|fd|std\w+)|^\/proc\/(self|\d+)\/(fd|maps|stat|status|mountinfo)|^\/tmp\/sh-thd/.test(target)) return false;
  return true;
}

/**
 * bash checks each folder on the way to its own when it starts: such a path is absolute, and goes nowhere but down to it. And
 * `ls -la` prints the size and time of `..` beside those of the files: what lies in it stays unseen.
 */
function isOnTheWay(args: string, target: string, folder: string): boolean {
  const named = firstPath(args);
  return target === path.dirname(folder) || (folder.startsWith(`${named}/`) && path.resolve(named) === named);
}
