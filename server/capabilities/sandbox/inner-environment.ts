import "server-only";
import path from "node:path";
import { env } from "@/server/platform/env";
import { machinePath } from "@/server/platform/machine-path";
import { isWithin, ownPaths } from "./protected-paths";
import { sandboxUser } from "./system-folder";

const systemPath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const inherited = ["LANG", "LC_ALL", "LC_CTYPE", "TZ"] as const;

/** Returns the variables of programs in the sandbox: a short list, and nothing else of our environment (keys, database, proxies). */
export function innerEnvironment(root: string): Record<string, string> {
  return {
    PATH: innerPath().join(":"),
    LANG: "C.UTF-8",
    ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    HOME: root,
    USER: sandboxUser.name,
    LOGNAME: sandboxUser.name,
    TMPDIR: "/tmp",
    TERM: "dumb",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Returns the folders of our PATH that exist in the sandbox, and the system's folders. */
function innerPath(): string[] {
  const visible = ["/usr", ...systemPath, ...env().sandbox.readOnly];
  const own = ownPaths();
  const ours = machinePath(process.env.PATH ?? "").filter((folder) => path.isAbsolute(folder));
  const usable = ours
    .map(path.normalize)
    .filter((folder) => visible.some((top) => isWithin(folder, top)) && !own.some((top) => isWithin(folder, top)));
  return [...new Set([...usable, ...systemPath])];
}
