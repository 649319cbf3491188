import "server-only";
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { AcpAgent } from "@/contracts/agents/delegation";
import type { CallScope } from "@/server/capabilities/define-capability";
import { boxedProgram } from "@/server/capabilities/sandbox/boxed-program";
import { noOpenings } from "@/server/capabilities/sandbox/openings";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { certificateVariables, childEnvironment } from "@/server/mcp/connect/program/child-environment";
import { type ProcessGroup, startProcessGroup } from "@/server/mcp/connect/transport/process-group";
import { AppError } from "@/server/platform/errors";

export type RunningProgram = ProcessGroup & {
  /** The absolute folder in which the program works, as it sees it. */
  cwd: string;
  /** Ends the program and releases its sandbox. */
  end: () => Promise<void>;
};

/**
 * Starts an agent program without a shell: in the sandbox when one is available, in the folder of the conversation.
 * @param cwd relative to that folder
 * @throws AppError for a folder outside, or a program that cannot be started
 */
export async function startAcpProgram(agent: AcpAgent, scope: CallScope, cwd: string): Promise<RunningProgram> {
  await mkdir(scope.folder, { recursive: true });
  const root = await realpath(scope.folder);
  const place = await realpath(path.resolve(root, cwd)).catch(() => null);
  if (place === null) throw new AppError("invalid", `There is no folder ${cwd} here. Send a folder relative to the workspace.`);
  if (place !== root && !place.startsWith(`${root}${path.sep}`)) {
    throw new AppError("invalid", `${cwd} lies outside the workspace. Send a folder relative to the workspace.`);
  }
  const own = Object.fromEntries(agent.environment.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  if (!sandboxStatus().isOn) {
    const group = startProcessGroup({ command: agent.command, args: agent.args, env: childEnvironment(own, process.env), cwd: place });
    return started(group, place, group.stop);
  }
  const network = scope.network();
  const certificates = certificateVariables(process.env);
  const program = await boxedProgram([agent.command, ...agent.args], {
    root,
    cwd: place,
    conversationId: scope.conversationId,
    isLongRunning: true,
    environment: { ...certificates, ...own },
    openings: {
      ...noOpenings,
      readable: [
        ...Object.values(certificates),
        ...[agent.command, ...agent.args].filter((word) => path.isAbsolute(word) && !isSystem(word)),
      ],
      hosts: agent.allowedHosts,
    },
    ...(network ? { network } : {}),
  });
  let group: ProcessGroup;
  try {
    const { command, args, env, descriptors } = program;
    group = startProcessGroup({ command, args, env, cwd: "/", descriptors, isBoxed: true });
  } catch (error) {
    program.release();
    throw error;
  } finally {
    program.started();
  }
  return started(group, place, async () => {
    await group.stop();
    program.release();
  });
}

async function started(group: ProcessGroup, cwd: string, end: () => Promise<void>): Promise<RunningProgram> {
  const { child } = group;
  // Broken pipes are ignored, because the end of the process is reported.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  } catch {
    await end();
    throw new AppError("unavailable", "The agent program could not be started. An admin checks its command in the delegation settings.");
  }
  return { ...group, cwd, end };
}

/** Whether a path is one that every program in the sandbox sees. */
const isSystem = (file: string): boolean => ["/usr/", "/bin/", "/lib"].some((folder) => path.normalize(file).startsWith(folder));
