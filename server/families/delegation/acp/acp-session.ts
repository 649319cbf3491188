import "server-only";
import { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import type { RunningProgram } from "./acp-program";

/** Longest answer that is kept, and longest end of the program's error output. */
const maxAnswerChars = 500_000;
const maxErrorChars = 1_000;
/** Milliseconds in which a cancelled program may end its prompt by itself. */
const cancelMs = 2_000;
/** Milliseconds between the end of a program's output and the end of the program. */
const endMs = 1_000;

export type AcpAnswer = { text: string; stopReason: string; toolCalls: number };

export type AcpSession = {
  task: string;
  signal: AbortSignal;
  progress: (line: string) => void;
  /** Decides a permission request of the program. */
  permit: (request: RequestPermissionRequest) => Promise<boolean>;
};

/**
 * Talks to an agent program until it has answered one prompt. The program gets no access to files or terminals of ours: it
 * works in its own sandbox, and asks for permission.
 * @throws AppError when the program breaks off, or does not speak the protocol
 */
export async function promptAcpAgent(program: RunningProgram, { task, signal, progress, permit }: AcpSession): Promise<AcpAnswer> {
  const { child, cwd } = program;
  const answer: AcpAnswer = { text: "", stopReason: "", toolCalls: 0 };
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = `${errors}${text}`.slice(-maxErrorChars);
  });
  const app = client({ name: "handrail" })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => ({ outcome: await outcomeOf(params, permit) }))
    .onNotification(methods.client.session.update, ({ params }) => follow(params.update, answer, progress));
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code, name) =>
      reject(new AppError("unavailable", endedSentence(code === null ? `signal ${name}` : `exit code ${code}`, errors))),
    );
  });
  ended.catch(() => {});
  const talk = app.connectWith(stream, async (agent) => {
    const hello = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {}, clientInfo: { name: "handrail", version: "1" } };
    await agent.request(methods.agent.initialize, hello);
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    const cancel = () => void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    try {
      const { stopReason } = await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: task }] });
      return { ...answer, stopReason };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  });
  const stopped = new Promise<never>((_resolve, reject) => {
    const giveUp = () => setTimeout(() => reject(signal.reason), cancelMs);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
  stopped.catch(() => {});
  try {
    return await Promise.race([talk, ended, stopped]);
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    // The pipes of a program that ends close a moment before its end is known.
    await Promise.race([ended, pause(endMs)]);
    throw new AppError(
      "unavailable",
      `The agent program broke off: ${toErrorMessage(error).slice(0, 500)}${errors ? ` (${errors.trim()})` : ""}`,
    );
  } finally {
    talk.catch(() => {});
  }
}

function endedSentence(how: string, errors: string): string {
  const last = errors.trim();
  return `The agent program ended with ${how} before it answered.${last ? ` Its last words: ${last}` : " An admin checks its command in the delegation settings."}`;
}

/** Chooses the program's own option for one time: what is allowed or refused for good, people decide with rules. */
async function outcomeOf(request: RequestPermissionRequest, permit: AcpSession["permit"]) {
  const isAllowed = await permit(request).catch(() => false);
  const wanted = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted.map((kind) => request.options.find((option) => option.kind === kind)).find((found) => found !== undefined);
  return option ? ({ outcome: "selected", optionId: option.optionId } as const) : ({ outcome: "cancelled" } as const);
}

function follow(update: SessionUpdate, answer: AcpAnswer, progress: (line: string) => void): void {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
    answer.text = `${answer.text}${update.content.text}`.slice(0, maxAnswerChars);
  } else if (update.sessionUpdate === "tool_call") {
    answer.toolCalls += 1;
    progress(`${update.kind ?? "other"}: ${update.title}`);
  }
}
