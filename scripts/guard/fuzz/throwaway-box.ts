import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A box that is thrown away: a folder to work in, canaries around it, and a trace of what a script did. */
export type ThrowawayBox = {
  /** The folder of the conversation; it has the same path outside and inside of the box. */
  folder: string;
  world: string;
  /** Runs a script with a shell. @returns the lines of strace */
  trace: (shell: string, script: string) => string[];
  /** Lays the folder out again, after a script has changed it. */
  reset: () => void;
  remove: () => void;
};

const traced =
  "execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rmdir,rename,renameat,renameat2,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink," +
  "symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,utimensat,connect,bind,kill,newfstatat,stat,lstat,statx,access,faccessat,faccessat2," +
  "readlink,readlinkat,chdir";

/** Programs that the fuzzer cannot do without. @returns one sentence a missing one */
export function whatIsMissing(): string[] {
  const needed = { bwrap: "bubblewrap", strace: "strace", dash: "dash", bash: "bash" };
  return Object.entries(needed)
    .filter(([program]) => !findProgram(program))
    .map(([program, name]) => `${program} is missing: install it with \`apt-get install ${name}\`.`);
}

const findProgram = (program: string) =>
  ["/usr/bin", "/bin", "/usr/local/bin"].map((folder) => path.join(folder, program)).find((file) => existsSync(file));

/** Lays out the world of canaries anew: the folder, a neighbour's and a key above both. */
function layOut(world: string, folder: string, links: boolean): void {
  rmSync(world, { recursive: true, force: true });
  writeTree(world, {
    "secret-key": "KEY-canary\n",
    "conversations/two/.env": "KEY=canary\n",
    "conversations/secret-key": "KEY-canary\n",
  });
  writeTree(folder, {
    "a.txt": "a KEY\n../two/.env\n",
    "b c": "KEY\n",
    "README.md": "read me\n",
    list: "../two/.env ../../secret-key\n",
    "-n": "dash\n",
    "sub/b.txt": "b KEY\n",
    "sub/deep/c.txt": "c\n",
    ".env": "KEY=inside\n",
    ".ssh/id_rsa": "KEY inside\n",
  });
  if (!links) return;
  for (const [name, target] of Object.entries({ link: "../two", up: "../..", key: "../../secret-key", envlink: ".env" })) {
    symlinkSync(target, path.join(folder, name));
  }
}

/**
 * Builds the world of canaries in a temporary folder.
 * @param links whether links out of the folder lie in it
 */
export function buildBox({ links }: { links: boolean }): ThrowawayBox {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "guard-fuzz-")));
  const world = path.join(root, "world");
  const folder = path.join(world, "conversations", "one");
  const etc = path.join(root, "etc");
  const output = path.join(root, "trace");
  mkdirSync(output);
  writeTree(etc, { passwd: "root:x:0:0:root:/root:/bin/sh\n", group: "root:x:0:\n", shadow: "root:KEY-canary\n" });
  const reset = () => layOut(world, folder, links);
  reset();
  const bind = ["--ro-bind", "/usr", "/usr", ...["/bin", "/sbin", "/lib", "/lib64"].flatMap(systemFolder)];
  const box = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--cap-drop",
    "ALL",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
  ];
  const environment = { PATH: "/usr/bin:/bin", HOME: folder, LC_ALL: "C.UTF-8", OLDPWD: path.dirname(folder) };
  const files = [
    "--ro-bind",
    etc,
    "/etc",
    "--dir",
    "/root",
    "--dir",
    "/home",
    "--bind",
    world,
    world,
    "--bind",
    output,
    output,
    "--chdir",
    folder,
  ];
  const settings = Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]);
  const file = path.join(output, "trace");
  const trace = (shell: string, script: string) => {
    const strace = ["strace", "-f", "-qq", "-y", "-s", "4096", "--seccomp-bpf", "-o", file, "-e", `trace=${traced}`, "-e", "signal=none"];
    rmSync(file, { force: true });
    const { error } = spawnSync("bwrap", [...box, ...bind, ...files, ...settings, "--", ...strace, ...shell.split(" "), "-c", script], {
      stdio: "ignore",
      timeout: 5_000,
      killSignal: "SIGKILL",
    });
    if (error && !("code" in error && error.code === "ETIMEDOUT")) throw error;
    if (!existsSync(file))
      throw new Error("fuzz: nothing was traced, so that nothing can be said. Are user namespaces and ptrace allowed here?");
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  };
  return { folder, world, trace, reset, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function systemFolder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return lstatSync(folder).isSymbolicLink() ? ["--symlink", readlinkSync(folder), folder] : ["--ro-bind", folder, folder];
}

function writeTree(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
