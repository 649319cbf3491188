import "server-only";
import { closeSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/server/platform/errors";
import { boxArguments } from "./box";
import { bubblewrap } from "./bubblewrap";
import { commandGroup } from "./control-groups";
import { innerEnvironment } from "./inner-environment";
import { type Classify, type FolderInspection, inspectFolder } from "./inspect-folder";
import { openText } from "./open-text";
import { noOpenings, type Openings } from "./openings";
import { refusedPaths } from "./refused-paths";
import { limitingWords } from "./resource-limits";
import { type HeldFile, noteStartupFiles, setAsideNew } from "./startup-files";
import { systemFolder } from "./system-folder";
import { makeTemporaryFolder } from "./temporary-folder";

/** The network of one conversation: the words that enter it, and a proxy to outside hosts for one program. */
export type ProgramNetwork = {
  /** Words in front of bubblewrap that start it in the conversation's network namespace. */
  enter: readonly string[];
  /** Opens a proxy that forwards to these hosts only, until it is closed. */
  proxy(hosts: readonly string[]): Promise<{
    url: string;
    environment: Readonly<Record<string, string>>;
    /** Addresses inside the namespace of hosts that the program reaches without the proxy. */
    names?: Readonly<Record<string, string>>;
    troubles(): readonly string[];
    close(): void;
  }>;
};

export type BoxedProgramOptions = {
  /** The conversation's folder; must exist. */
  root: string;
  /** Start folder, inside `root`; default: `root` itself. */
  cwd?: string;
  /** Commands of one conversation share /tmp and the network. */
  conversationId?: string;
  openings?: Openings;
  /** Decides which files of the folder are covered or read-only; default: none. */
  classify?: Classify;
  /** Returns the conversation's network; null when the program needs none and gets an empty network namespace. */
  network?: (conversationId: string, options: { isNeeded: boolean }) => Promise<ProgramNetwork | null>;
  /** Absolute folders beside /usr that hold the program itself, when Handrail installed or found it there; read-only. */
  programFolders?: readonly string[];
  /** Variables beside those of every program. */
  environment?: Readonly<Record<string, string>>;
  /** The program outlives a call, so its CPU time is not limited. */
  isLongRunning?: boolean;
  /** Environment of bubblewrap, which the program itself does not get. */
  outerEnvironment?: Readonly<Record<string, string>>;
};

/** A program in the sandbox, ready to be spawned by the caller. */
export type BoxedProgram = {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Our open files that the program inherits; the first gets the number `firstDescriptor`. */
  descriptors: number[];
  /** Moves the box's first process into the limiting control groups. Only afterwards may bubblewrap go on. */
  admit(init: number): Promise<void>;
  /** The program's variables. */
  environment: Readonly<Record<string, string>>;
  /** True when the program can reach hosts outside its network namespace. */
  hasNetwork: boolean;
  /** Returns sentences about the connections that failed so far. */
  networkTroubles(): readonly string[];
  /** Closes our copies of the descriptors. The caller must call it after the spawn, also after a failed spawn. */
  started(): void;
  /**
   * Sets aside files that run by themselves and that the program created without an opening; the program must have ended.
   */
  setAside(): Promise<readonly HeldFile[]>;
  /** Removes the program's proxy and control groups; the program must have ended. */
  release(): void;
};

/** The descriptor from which bubblewrap reads its seccomp filter. */
export const filterDescriptor = 3;
/** The descriptor on which bubblewrap reports the program's status, if the starter made a pipe of it. */
export const statusDescriptor = 4;
/** The descriptor on which the first inner process reports that it runs, if the starter made a pipe of it. */
export const readyDescriptor = 5;
/** The descriptor on which bubblewrap waits before the program starts, if the starter made a pipe of it. */
export const goDescriptor = 6;
/** 7 is the report of a command's shell (`session-report.ts`). */
const firstDescriptor = 8;

/** Returns the stdio entries from 3 on for `spawn`, for starters that need no status of the program. */
export function furtherStreams(descriptors: readonly number[]): ("ignore" | number)[] {
  return descriptors.length > 0
    ? [...Array.from({ length: firstDescriptor - filterDescriptor }, () => "ignore" as const), ...descriptors]
    : [];
}

/**
 * Exits before the program begins when the starter was killed during the box's setup. In that case nothing would end the
 * box, but nobody reads the ready pipe either, so the `echo` fails.
 */
const demandStarter = ["/bin/sh", "-c", `echo >&${readyDescriptor} || exit 125; exec "$@" ${readyDescriptor}>&-`, "sandbox"];

/** Joins the control groups, opens the filter, and execs the remaining words. "--" ends the list of groups. */
const prologue = `filter=$1; shift; while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@" ${filterDescriptor}<"$filter"`;

/**
 * Prepares a program for the sandbox.
 * @param argv the program and its arguments, as they are called inside
 * @throws AppError when the machine has no sandbox, or an opening cannot be given
 */
export async function boxedProgram(
  argv: readonly string[],
  options: BoxedProgramOptions,
  { reportsStatus = false }: { reportsStatus?: boolean } = {},
): Promise<BoxedProgram> {
  const program = bubblewrap();
  if (!program) throw new AppError("unavailable", "Programs cannot run here: bubblewrap is not installed. Ask an admin to install it.");
  const { conversationId, openings = noOpenings, classify } = options;
  const root = await realpath(options.root);
  const found = classify ? await inspectFolder(root, classify) : nothingFound;
  if (found.gap !== null && !openings.unprotected)
    throw new AppError("conflict", `${found.gap} Until then, commands here need an approval.`);
  const hooks = await makeHookFolders(root, found);
  const startup = classify ? await noteStartupFiles(root, found) : null;
  const isNeeded = openings.hosts.length > 0 || options.isLongRunning === true;
  const network = conversationId === undefined ? null : ((await options.network?.(conversationId, { isNeeded })) ?? null);
  const proxy = network && openings.hosts.length > 0 ? await network.proxy(openings.hosts) : null;
  const group = commandGroup();
  const release = () => {
    proxy?.close();
    // Nobody waits for the removal, because the next start removes leftover groups.
    void group?.remove();
  };
  try {
    const environment = { ...innerEnvironment(root), ...proxy?.environment };
    const { args, descriptors } = boxArguments(
      {
        root,
        cwd: path.resolve(root, options.cwd ?? "."),
        temporaryFolder: conversationId === undefined ? null : await makeTemporaryFolder(conversationId),
        environment,
        openings,
        sensitive: found.sensitive,
        runsByItself: [...new Set([...found.runsByItself, ...hooks])],
        refused: await refusedPaths(root, openings.refused),
        ...(options.programFolders ? { programFolders: options.programFolders } : {}),
        keepsNetwork: network !== null,
        names: proxy?.names ?? {},
      },
      program,
      firstDescriptor,
    );
    const variables = Object.entries(options.environment ?? {}).flatMap(([name, value]) => ["--setenv", name, value]);
    // A starter without these streams, such as the browser's, may not be able to pass on a file.
    const [plain, inFile] = reportsStatus ? [[], [...args, ...variables]] : [args, variables];
    const words = [...plain, ...(inFile.length > 0 ? argumentsInFile(inFile, descriptors) : [])];
    const { filter } = systemFolder();
    return {
      command: "/bin/sh",
      args: [
        "-c",
        prologue,
        "sandbox",
        filter ?? "/dev/null",
        ...(reportsStatus ? [] : (group?.joinFiles ?? [])),
        "--",
        ...(network?.enter ?? []),
        program.program,
        ...(filter ? ["--seccomp", String(filterDescriptor)] : []),
        ...(reportsStatus ? ["--json-status-fd", String(statusDescriptor), "--block-fd", String(goDescriptor)] : []),
        ...words,
        "--",
        ...(reportsStatus ? demandStarter : []),
        ...limitingWords({ hasTimeLimit: !options.isLongRunning }),
        ...argv,
      ],
      // The program can read this environment as /proc/1/environ.
      env: { ...options.outerEnvironment },
      descriptors,
      admit: async (init) => group?.join(init),
      environment: { ...environment, ...options.environment },
      hasNetwork: proxy !== null,
      networkTroubles: () => proxy?.troubles() ?? [],
      started: () => {
        for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
      },
      setAside: async () =>
        startup && classify ? setAsideNew(root, startup, { mayWrite: absolute(openings.writable, root), classify }) : [],
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

const nothingFound: Pick<FolderInspection, "sensitive" | "runsByItself" | "startup" | "gitFolders" | "namingLinks" | "gap"> = {
  sensitive: [],
  runsByItself: [],
  startup: [],
  gitFolders: [],
  namingLinks: [],
  gap: null,
};

const absolute = (files: readonly string[], root: string) => files.map((file) => path.resolve(root, file));

/** Creates missing hook folders of repositories, because only a folder that exists can be read-only. */
async function makeHookFolders(root: string, { gitFolders, runsByItself }: Pick<FolderInspection, "gitFolders" | "runsByItself">) {
  const hooks = gitFolders.map((folder) => `${folder}/hooks`);
  const missing = hooks.filter((folder) => !runsByItself.includes(folder));
  const made = await Promise.all(
    missing.map((folder) =>
      mkdir(path.join(root, folder))
        .then(() => [folder])
        .catch(() => []),
    ),
  );
  return made.flat();
}

/** Passes bubblewrap's arguments through a file, because the list of processes shows possible secrets and paths of the machine. */
function argumentsInFile(args: readonly string[], descriptors: number[]): string[] {
  descriptors.push(openText(args.join("\0")));
  return ["--args", String(firstDescriptor + descriptors.length - 1)];
}
