const runners = /^(?:docker|podman|nerdctl)$/;
const starts = new Set(["run", "create", "exec"]);
/** An absolute path and nothing else: no mount, which has a colon or a comma. */
const innerPath = /^\/[\w./@+-]*$/;
const mountOption = /^(?:-[A-Za-z]{0,6}v|--volume)$/;
const workdirOption = /^(?:-[A-Za-z]{0,6}w|--workdir)$/;
/** Where in the container something is mounted. */
const mountTarget = /^(?:dst|destination|target)=/;

/**
 * The words of a command that starts a container or works in one, without paths that are none of this machine: where it works, and
 * where in it something is mounted. What is mounted, and everything that could be, stays.
 */
export function withoutContainerPaths(name: string, args: readonly string[]): readonly string[] {
  if (!runners.test(name)) return args;
  const [first = "", second = ""] = args.filter((word) => !word.startsWith("-"));
  if (!starts.has(first === "container" ? second : first)) return args;
  return args.flatMap((word, at): readonly string[] => {
    const before = args[at - 1] ?? "";
    if (workdirOption.test(before) && innerPath.test(word)) return [];
    if (mountOption.test(before)) return [sourceOf(word)];
    if (before === "--mount") return [withoutTarget(word)];
    const [, option = "", value = ""] = /^(--(?:workdir|volume|mount)=|-w=?|-v=?)(.+)$/s.exec(word) ?? [];
    if (option.startsWith("--m")) return [withoutTarget(value)];
    if (option.includes("v")) return [sourceOf(value)];
    return option !== "" && innerPath.test(value) ? [] : [word];
  });
}

/** Of `./data:/data:ro`, what is of this machine. */
const sourceOf = (mount: string): string => (/^[^:]+:/.test(mount) ? mount.replace(/:.*$/s, "") : mount);

const withoutTarget = (mount: string): string =>
  mount
    .split(",")
    .filter((field) => !mountTarget.test(field))
    .join(",");
