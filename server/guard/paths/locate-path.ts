import path from "node:path";
import type { EffectTarget } from "@/contracts/decisions/effects";
import { contactsAtPath } from "@/contracts/messengers/contacts";
import { homePiece, type MachineFolders, type ShellWord, unknownPiece } from "../script/words";
import { folderAt } from "../script/working-folder";
import { holdsAutoExecuted, isAutoExecuted } from "./auto-executed-paths";
import { maxPathChars } from "./followed-path";
import { isHarmlessNode } from "./harmless-node";
import type { SensitivePaths } from "./sensitive-globs";
import { sensitiveClass } from "./sensitive-path";

/** The facts that decide the place of a path. */
export type PathContext = {
  /** Absolute path of the conversation's folder; without it, every absolute path lies outside. */
  root: string | undefined;
  /** The folders of the machine of a client that runs the call itself; absent when Handrail runs it. */
  machine?: MachineFolders | undefined;
  /** Whether the call's programs run in the sandbox, which has a /tmp of its own. */
  sandboxed: boolean;
  /** The call leaves the sandbox, so each of its variables counts as one that may change programs. */
  leavesSandbox?: boolean;
  sensitivePaths: SensitivePaths;
  /** Whether the path is a tool's own. Such a tool is confined to the folder, so no path gets the class `system`. */
  isTool?: boolean;
  /** The call deletes, moves or replaces everything at the path, so a folder counts as the guarded files in it. */
  isWhole?: boolean;
  /** Facts about the folder's files; absent when a call is only tried out. */
  files?: FolderFacts | undefined;
};

/** Facts about the folder's files, gathered before a real call. */
export type FolderFacts = {
  /** The real path behind each path of the call, keyed by the path as the effect names it. */
  real: ReadonlyMap<string, string>;
  /** Paths that the conversation itself made, or that hold nothing else. */
  madeHere: ReadonlySet<string>;
  /** Paths that hold files of others of which no copy can be kept. */
  uncopyable?: ReadonlySet<string>;
  /** Says why the sandbox cannot show a path that the call needs. */
  unopenable?: string | null;
  /** Paths of the folder that do not exist yet. */
  missing?: ReadonlySet<string>;
  /** Files below the folder that are sensitive, and links that lead out of it. */
  sensitive: readonly string[];
  linksOut: readonly string[];
  /** Links below the folder, and folders that may contain links: `..` behind a link leads elsewhere than it seems. */
  unfollowed: readonly string[];
  /** Says why the look may have missed some file; null when it covered the whole folder. */
  gap: string | null;
};

const device = /^\/dev\//;
/** Paths of the machine that every program may read and that hold nothing personal. */
const systemPath =
  /^\/(?:$|(?:usr|bin|sbin|lib\d*|libx32|opt|nix|snap)(?:\/|$)|sys\/(?:fs\/cgroup|devices\/system|class)(?:\/|$)|etc\/(?:os-release|lsb-release|debian_version|hostname|hosts|resolv\.conf|localtime|timezone|services|protocols|mime\.types|shells|issue|alpine-release|redhat-release|fedora-release|alternatives|ssl\/certs|ca-certificates|ld\.so\.[\w.]+|nsswitch\.conf|environment|fonts)(?:\/|$)|etc$|proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts|partitions|sys\/kernel\/(?:osrelease|hostname|ostype)|self\/(?:status|cgroup|limits|mounts|mountinfo))$|proc$|(?:var|run|tmp|dev|sys)$)/;
/**
 * Files of `/proc` about one process: in the sandbox only about its own processes. Links to files, such as `cwd` and
 * `root`, are not included.
 */
const processFile = /^\/proc\/(?:self|thread-self|\d+)(?:$|\/(?:fd(?:info)?\/\d+|task|net\/\w+|(?!root$|cwd$|exe$)[a-z_]+)$)/;
/** The machine's folders for temporary files. */
const temporary = /^\/(?:private\/)?(?:var\/)?tmp(?:\/|$)/;
/** Folders and files that a build or an installation produces again. */
const rebuildable =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.turbo|\.cache|\.parcel-cache|\.vite|\.svelte-kit|\.angular|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|venv|\.gradle|\.eggs|[\w.-]+\.egg-info|tmp|temp|logs?|test-results|playwright-report|htmlcov|\.nyc_output|obj|_build|public\/build|storybook-static|Pods|DerivedData)(?:\/.*)?$|\.(?:log|tmp|o|pyc|class|tsbuildinfo|out|bak|swp|orig|rej|pid)$|\/\.DS_Store$/;

/** Returns whether a build or an installation produces a file or folder again. */
export const isRebuildable = (relativePath: string): boolean => rebuildable.test(relativePath);

/**
 * Locates the path in a word.
 * @param from the command's working folder; null when it is unknown
 */
export function locatePath(word: Pick<ShellWord, "value" | "certainty">, from: string | null, surroundings: PathContext): EffectTarget {
  const { value, certainty } = word;
  const { machine } = surroundings;
  // The folder of a client may be no project, so a relative path is no sign that a file lies in one.
  const folder = machine && from !== null ? path.posix.resolve(machine.folder, from) : from;
  const written = withHome(value.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/i, ""), surroundings);
  if (certainty === "unknown" || written.includes(unknownPiece))
    return { where: "not_known", ...classOf(undefined, written, surroundings) };
  if (written.length > maxPathChars) return { where: "not_known" };
  const isFree = written.startsWith("/") || written.startsWith(homePiece);
  if (folder === null && !isFree) return { where: "not_known", path: written, ...classOf(undefined, written, surroundings) };
  if (certainty === "glob" && climbsByGlob(written)) return { where: "not_known", path: plain(written) };
  const located = folderAt(written, folder ?? ".");
  if (surroundings.files && leavesUnfollowed(written, folder ?? ".", surroundings))
    return { where: "not_known", path: located, ...classOf(undefined, located, surroundings) };
  return classifyPlace(located, surroundings);
}

/** Writes out the home of a client's machine, where words of programs and tools name it. */
function withHome(written: string, { machine }: PathContext): string {
  return machine && written.startsWith(homePiece) ? machine.home + written.slice(homePiece.length) : written;
}

/**
 * Returns whether a path goes up with `..` from a possible link, where the kernel goes up from the link's target. In
 * the sandbox the kernel confines such a path, and our file tools resolve paths as written.
 */
function leavesUnfollowed(written: string, folder: string, { root, sandboxed, isTool, files }: PathContext): boolean {
  if (!files || sandboxed || isTool || !(written.includes("..") || folder.includes(".."))) return false;
  const isFree = written.startsWith("/") || written.startsWith(homePiece);
  const whole = isFree ? written.replace(homePiece, ".") : `${folder}/${written}`;
  const fromRoot = root !== undefined && whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole;
  const names: string[] = [];
  for (const name of fromRoot.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") {
      names.push(name);
      continue;
    }
    const left = `${names.join("/")}/`;
    if (names.length > 0 && (files.gap !== null || files.unfollowed.some((link) => left.startsWith(`${link}/`)))) return true;
    names.pop();
  }
  return false;
}

/**
 * Locates a path, following links.
 * @param located relative to the conversation's folder, or absolute; its `.` and `..` are followed
 */
function classifyPlace(located: string, surroundings: PathContext): EffectTarget {
  const { root, files } = surroundings;
  const real = files && behindLinks(located, files);
  const target = place(located, surroundings);
  if (target.where === "inside" && target.class === undefined && files?.uncopyable?.has(located)) return { ...target, class: "no_copy" };
  // The lists of contacts are the workspace's, whichever conversation writes them.
  const isMadeHere = target.where === "inside" && files?.madeHere.has(located) && contactsAtPath(located) === undefined;
  if (real === undefined || real === located) return isMadeHere ? madeHere(target) : target;
  // For a link, people are shown the file behind it, an approval holds for that file only, and the sandbox opens no other. A
  // guarded name stays guarded.
  const behind = place(root !== undefined && real.startsWith(`${root}/`) ? real.slice(root.length + 1) : real, surroundings);
  const isGuarded = target.class === "sensitive" || (target.class === "runs_by_itself" && behind.class !== "sensitive");
  return isGuarded ? { ...behind, class: target.class } : behind;
}

/** Returns the real path behind a path, when it or a folder above it is known to be a link. */
function behindLinks(located: string, { real }: FolderFacts): string | undefined {
  for (let at = located; at !== "." && at !== "/"; at = path.posix.dirname(at)) {
    const behind = real.get(at);
    if (behind !== undefined) return at === located ? behind : path.posix.join(behind, located.slice(at.length));
  }
  return undefined;
}

const madeHere = (target: EffectTarget): EffectTarget => (target.class === undefined ? { ...target, class: "made_here" } : target);

function place(located: string, surroundings: PathContext): EffectTarget {
  const { root, sandboxed } = surroundings;
  if (located === ".." || located.startsWith("../"))
    return { where: "outside", path: located, ...classOf(undefined, located, surroundings) };
  if (!located.startsWith("/")) return { where: "inside", path: located, ...classOf(located, located, surroundings) };
  if (root !== undefined && (located === root || located.startsWith(`${root}/`))) {
    const inside = located.slice(root.length + 1) || ".";
    return { where: "inside", path: inside, ...classOf(inside, inside, surroundings) };
  }
  if (isHarmlessNode(located) || (sandboxed && processFile.test(located))) return { where: "inside", path: located };
  if (device.test(located) && located !== "/dev") return { where: "outside", path: located, class: "device" };
  if (temporary.test(located)) return { where: sandboxed ? "inside" : "outside", path: located, class: "temporary" };
  const ofPath = classOf(undefined, located, surroundings);
  if (ofPath.class === undefined && !surroundings.isTool && systemPath.test(located))
    return { where: "outside", path: located, class: "system" };
  return { where: "outside", path: located, ...ofPath };
}

/**
 * Classifies a path.
 * @param inside the path relative to the folder, when the path lies in the folder
 */
function classOf(
  inside: string | undefined,
  written: string,
  { sensitivePaths, machine, isWhole }: PathContext,
): Pick<EffectTarget, "class"> {
  // In effects `~` means the folder, so an admin's `~/notes` matches files of the folder, too. On a client's machine it is the home.
  const isBelowHome = machine !== undefined && written.startsWith(`${machine.home}/`);
  const isSensitive =
    sensitiveClass(plain(written), sensitivePaths) !== null ||
    (inside !== undefined && sensitivePaths.fitting(`~/${inside}`) !== null) ||
    (isBelowHome && sensitivePaths.fitting(`~${written.slice(machine.home.length)}`) !== null);
  if (isSensitive) return { class: "sensitive" };
  if (isAutoExecuted(plain(written))) return { class: "runs_by_itself" };
  if (inside !== undefined && rebuildable.test(inside)) return { class: "rebuildable" };
  return isWhole && holdsAutoExecuted(plain(written)) ? { class: "runs_by_itself" } : {};
}

const plain = (text: string): string => text.replaceAll(unknownPiece, "*").replaceAll(homePiece, "~");

/** Drops the class `system` of a top folder outside of the sandbox, because private files lie below that folder. */
export function withPrivateFiles(target: EffectTarget, { sandboxed }: Pick<PathContext, "sandboxed">): EffectTarget {
  const { class: kind, ...plain } = target;
  return kind === "system" && !sandboxed && /^\/(?:etc|proc|var|run|tmp|dev|sys)?$/.test(String(target.path)) ? plain : target;
}

/**
 * Returns whether a glob may climb: a glob that begins with a dot may be `..`, and a folder that a glob names may be a
 * link.
 */
function climbsByGlob(written: string): boolean {
  let afterGlob = false;
  for (const name of written.split("/")) {
    const isGlob = /[*?[]/.test(name);
    if ((isGlob && name.startsWith(".")) || (name === ".." && afterGlob)) return true;
    afterGlob ||= isGlob;
  }
  return false;
}
