import "server-only";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { toErrorMessage } from "@/server/platform/errors";
import { boxArguments } from "./box";
import { type Bubblewrap, bubblewrap } from "./bubblewrap";
import { groupedResources } from "./control-groups";
import { innerEnvironment } from "./inner-environment";
import { noOpenings } from "./openings";
import { limitingWords } from "./resource-limits";
import { sandboxPath } from "./sandbox-folder";
import { systemFolder } from "./system-folder";

export type Probe = { works: boolean; sentence: string };

const patienceMs = 15_000;
const install = "apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)";
const containerFlags =
  "Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined";

/** Runs `true` in a sandbox. The sentence names the confinement, or why there is none and how to fix that. */
export function probeSandbox(platform: NodeJS.Platform = process.platform): Probe {
  if (platform !== "linux") {
    return not(
      `The sandbox needs Linux, and this is ${platform}. Run Handrail in a Linux container or virtual machine to confine commands.`,
    );
  }
  const program = bubblewrap();
  if (!program)
    return not(`Commands are not confined because bubblewrap is not installed. Install it: ${install}, then start Handrail again.`);
  try {
    const failure = runTrue(program);
    return failure === null ? { works: true, sentence: whatHolds(program) } : not(wayOut(failure));
  } catch (error) {
    return not(
      `Commands are not confined because the sandbox cannot be prepared (${toErrorMessage(error)}). Make the data folder writable.`,
    );
  }
}

/** Returns the complaint of bubblewrap or the system; null when the program ran. */
function runTrue(program: Bubblewrap): string | null {
  const parent = sandboxPath();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const root = realpathSync(mkdtempSync(`${parent}/probe-`));
  try {
    const box = { root, cwd: root, temporaryFolder: null, environment: innerEnvironment(root), openings: noOpenings };
    const { args, descriptors } = boxArguments({ ...box, sensitive: [], runsByItself: [], refused: [], keepsNetwork: false }, program, 4);
    for (const descriptor of descriptors) closeSync(descriptor);
    const { filter } = systemFolder();
    const seccomp = filter ? ["--seccomp", "3"] : [];
    const { status, stderr, error } = spawnSync(
      "/bin/sh",
      ["-c", 'exec "$@" 3<"$0"', filter ?? "/dev/null", program.program, ...seccomp, ...args, "--", ...limitingWords(), "true"],
      // Next's types require NODE_ENV in every environment.
      { encoding: "utf8", env: {} as NodeJS.ProcessEnv, timeout: patienceMs },
    );
    if (status === 0) return null;
    return (stderr || (error ? toErrorMessage(error) : `exit code ${status}`)).trim();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function whatHolds({ canDisableUserNamespaces }: Bubblewrap): string {
  const grouped = groupedResources();
  const missing = [
    ...(limitingWords().length === 0 ? ["prlimit (util-linux) is missing, so nothing limits their memory"] : []),
    ...(limitingWords().length > 0 && !grouped.memory ? ["the memory limit applies per process (cgroup v2 is read-only)"] : []),
    ...(process.getuid?.() === 0 && !grouped.processes
      ? ["Handrail runs as root without control groups, so the number of their processes is not limited: run it as a user of its own"]
      : []),
    ...(systemFolder().filter === null ? [`system calls are not filtered on ${process.arch}`] : []),
    ...(canDisableUserNamespaces ? [] : ["this bubblewrap is older than 0.8, so only the filter of system calls stops user namespaces"]),
  ];
  const holds = "Commands run in a bubblewrap sandbox with their own folder, the system read-only and no network";
  return missing.length === 0 ? `${holds}.` : `${holds}; ${missing.join("; ")}.`;
}

/** Turns a complaint into a sentence. Reads the system's settings to find the cause, because the complaints are alike. */
export function wayOut(complaint: string, setting: (name: string) => string | null = settingOf, isContainer = isInContainer()): string {
  const because = "Commands are not confined because";
  const detail = complaint.split("\n").at(-1)?.slice(0, 200) ?? "";
  if (/namespace|uid map|gid map|RTM_NEWADDR|setgroups|Operation not permitted|Permission denied/i.test(complaint)) {
    if (setting("kernel/unprivileged_userns_clone") === "0") {
      return `${because} this system refuses user namespaces to users other than root: sysctl -w kernel.unprivileged_userns_clone=1 allows them.`;
    }
    if (setting("user/max_user_namespaces") === "0") {
      return `${because} this system allows no user namespaces: sysctl -w user.max_user_namespaces=10000 allows them.`;
    }
    if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1" && !isContainer) {
      return `${because} AppArmor refuses user namespaces here: give bwrap a profile with "userns," or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.`;
    }
    if (isContainer)
      return `${because} this container refuses namespaces (${detail}). ${containerFlags}, or with the profile in docs/operating/sandbox.md.`;
    return `${because} the system refuses namespaces (${detail}). docs/operating/sandbox.md says what it needs.`;
  }
  return `${because} bubblewrap failed (${detail}). docs/operating/sandbox.md says what it needs.`;
}

function settingOf(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return null;
  }
}

function isInContainer(): boolean {
  return existsSync("/.dockerenv") || existsSync("/run/.containerenv") || process.env.KUBERNETES_SERVICE_HOST !== undefined;
}

function not(sentence: string): Probe {
  return { works: false, sentence };
}
