import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { CallMachine } from "@/contracts/tools/machine";
import type { Turn } from "@/contracts/turns/turns";
import type { Authorized } from "@/server/auth/actor";
import { type ClientCall, submitClientCall } from "@/server/turns/client/submit-client-call";
import { type JudgedCall, judgedCall } from "./native/native-tool";
import { nativeTools } from "./native/native-tools";
import { type OpenSession, openSession, type SessionFacts } from "./sessions";

/** A call as its client makes it. */
export type AskedNatively = {
  facts: SessionFacts;
  /** The client's id of the call; null when the client has none. */
  callId: string | null;
  tool: string;
  input: JsonObject;
  /** Absolute folder in which the call starts. */
  cwd?: string | undefined;
  links?: CallMachine["links"];
  /** Time that people have for an answer. */
  approvalSeconds?: number | undefined;
  /** Folder of the project, when the call names it; else the one in which the session began. */
  folder?: string;
};

/** A call that was submitted, with what leads back to the client's own form. */
export type AskedCall = { session: OpenSession; judged: JudgedCall; turn: Turn };

/** Submits a client's call to the guard. */
export async function askCall(actor: Authorized<"guard:ask">, asked: AskedNatively, signal: AbortSignal): Promise<AskedCall> {
  const session = await openSession(actor, asked.facts);
  const { judged, call } = toClientCall(session, asked);
  return { session, judged, turn: await submitClientCall(actor, call, signal) };
}

/** Translates a client's call to the call that is judged. */
export function toClientCall({ row, conversation }: OpenSession, asked: AskedNatively): { judged: JudgedCall; call: ClientCall } {
  const { facts, callId, tool, links, approvalSeconds } = asked;
  const { client, box } = facts;
  const folder = asked.folder ?? row.folder;
  const judged = inFolder(judgedCall(tool, nativeTools[client][tool], asked.input), folder, asked.cwd);
  const machine: CallMachine = {
    client,
    folder,
    home: facts.home ?? row.home,
    box,
    ...repositoryOf(row, facts),
    ...(row.host ? { host: row.host } : {}),
    ...(row.userName ? { user: row.userName } : {}),
    ...(row.policyDigest ? { policy: row.policyDigest } : {}),
    ...(links ? { links } : {}),
    ...(approvalSeconds === undefined ? {} : { approvalSeconds }),
    ...(judged.tool ? { tool: judged.tool } : {}),
  };
  const call = { conversation, machine, id: callId, requestedName: tool, name: judged.name, arguments: judged.arguments };
  return { judged, call };
}

/** The repository of the session; unknown where none was named at its beginning, and one is named now. */
function repositoryOf({ repository }: OpenSession["row"], facts: SessionFacts): Pick<CallMachine, "repository"> {
  if (repository !== null) return { repository };
  return facts.repository === null ? { repository: null } : {};
}

/** The argument of our tool for commands that names its folder. */
const folderArgument = "cwd";

/** Says where a command starts, when that is not the project's folder. The client knows it, and no argument of its tool says so. */
function inFolder(judged: JudgedCall, folder: string, cwd: string | undefined): JudgedCall {
  const { arguments: args, toNative } = judged;
  if (cwd === undefined || cwd === folder || typeof args.command !== "string" || args[folderArgument] !== undefined) return judged;
  const where = cwd.startsWith(`${folder}/`) ? cwd.slice(folder.length + 1) : cwd;
  return {
    ...judged,
    arguments: { ...args, [folderArgument]: where },
    toNative: ({ [folderArgument]: changed, ...rest }) => (changed === where ? toNative(rest) : null),
  };
}
