import path from "node:path";
import type { CallMachine } from "@/contracts/tools/machine";
import type { GuardContext } from "@/server/guard/call/guard-request";

/** Folders that belong to everybody on a machine, so that no project lies in them directly. */
const shared =
  /^\/(?:[^/]*|(?:home|Users|usr|var|private|opt|etc|mnt|media|Volumes|System|Library)\/[^/]*|var\/tmp|private\/tmp|private\/var)$/;

/** Returns whether a folder is a project: not a folder that holds the home, and not one of the machine. */
export const isProjectFolder = ({ folder, home }: Pick<CallMachine, "folder" | "home">): boolean =>
  folder !== home && !home.startsWith(`${folder}/`) && !shared.test(folder);

/** Returns the part of a call's context that says where a client runs it. No sandbox of Handrail confines it there. */
export function machineContext(machine: CallMachine): Pick<GuardContext, "sandboxed" | "machine" | "folder" | "files"> {
  const { home, folder, links, client, repository, host, user } = machine;
  const told = {
    ...(repository === undefined ? {} : { repository }),
    ...(host === undefined ? {} : { host }),
    ...(user === undefined ? {} : { user }),
  };
  return {
    sandboxed: false,
    machine: { home, folder, client, ...told },
    // Without a project every path lies outside, and a person decides what is touched.
    ...(isProjectFolder(machine) ? { folder } : {}),
    ...(links && links.length > 0 ? { files: factsOf(folder, links) } : {}),
  };
}

/** The links that the client followed; of its other files nothing is known. */
function factsOf(folder: string, links: NonNullable<CallMachine["links"]>): NonNullable<GuardContext["files"]> {
  const named = links.map(({ path: written, real }) => ({ written, absolute: path.posix.resolve(folder, written), real }));
  return {
    real: new Map(named.flatMap(({ written, absolute, real }) => [[written, real] as const, [absolute, real] as const])),
    // Behind a link, `..` leads elsewhere than it seems.
    unfollowed: named.map(({ absolute }) => path.posix.relative(folder, absolute)),
    ...{ madeHere: new Set(), sensitive: [], linksOut: [], gap: null },
  };
}
