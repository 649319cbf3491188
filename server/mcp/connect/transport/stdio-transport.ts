import "server-only";
import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { JSONRPC_VERSION, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { AppError } from "@/server/platform/errors";
import { makeRateLimit } from "@/server/platform/rate-limit";
import type { ServerProgram } from "../program/server-program";
import { withoutEscapeSequences } from "../text/clean-text";
import { answerFault } from "./answer-fault";
import { JsonLines } from "./json-lines";
import { NotificationGate } from "./notification-gate";
import { type ProcessGroup, startProcessGroup } from "./process-group";
import { readMessages } from "./read-messages";
import { repairAnswer } from "./repair-answer";

/** Largest message of a server, in bytes. */
export const maxMessageBytes = 16 * 1_024 * 1_024;
export const oversizedSentence = `The answer was larger than ${maxMessageBytes / 1_048_576} MiB and was thrown away. Ask for less.`;

/** Longest line that is skipped; a longer line ends the connection. */
const maxSkippedBytes = 64 * 1_024 * 1_024;
/** Most bytes of other output between two messages; with more, the program is probably no MCP server. */
const maxGarbageBytes = 4 * 1_024 * 1_024;
const garbageSentence = `The server wrote ${maxGarbageBytes / 1_048_576} MiB to its output that are not MCP. Check that the command starts an MCP server.`;
/** Reading rate of a server's output: the burst fits the largest answer, and the rate leaves time for other work. */
const outputPace = { burst: 2 * maxMessageBytes, perSecond: 8 * 1_024 * 1_024 };
/** Rate limit of messages, because a flood of small messages costs more than its bytes. */
const messagePace = { burst: 50_000, perSecond: 20_000 };
const maxStderrCharacters = 4_000;
/** Wait for remaining output after the process ended, in milliseconds. Bounded, because a child may hold the pipe open. */
const drainMilliseconds = 200;

/**
 * MCP over the standard streams of a program. The SDK's own transport ends only one process and keeps no error output;
 * this transport ends the whole process group, keeps the last lines of the error stream, and survives answers of any size.
 * The SDK recognises a transport over pipes by its `pid` and `stderr`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private group: ProcessGroup | null = null;
  private readonly lines = new JsonLines(maxMessageBytes);
  private readonly notifications: NotificationGate;
  private garbageBytes = 0;
  private readonly pauses = new Set<NodeJS.Timeout>();
  private tail = "";
  private isClosed = false;
  private released: Promise<void> | null = null;
  /** Exit code or signal of the ended process: "exit code 1", "signal SIGKILL". */
  ending: string | null = null;
  /** Reason for which Handrail ended the process. */
  fault: AppError | null = null;

  constructor(
    private readonly program: ServerProgram,
    onLog?: (params: unknown) => void,
  ) {
    this.notifications = new NotificationGate((message) => this.onmessage?.(message), onLog);
  }

  get pid(): number | null {
    return this.group?.child.pid ?? null;
  }

  /** The last lines of the program's error stream, and of other output that is not MCP. */
  get stderr(): string | null {
    return this.tail.trim() || null;
  }

  /** Finds what the sandbox keeps from the program, in what it wrote last or in the text of a failed call. */
  findCures(text = this.tail): McpCure[] {
    return this.program.findCures(text);
  }

  /** Sentences about openings of the settings that could not be made. */
  get faults(): readonly string[] {
    return this.program.faults;
  }

  /** Whether the sandbox started but did not find the command. Without a sandbox, the start itself fails. */
  get isCommandMissing(): boolean {
    return this.program.isBoxed && this.ending === "exit code 127" && /^(?:prlimit|bwrap): .*No such file or directory$/m.test(this.tail);
  }

  async start(): Promise<void> {
    if (this.group) throw new Error("This transport was started before");
    const group = this.startGroup();
    this.group = group;
    const { child } = group;
    // Errors of broken pipes are ignored, because the "exit" event reports the end of the process.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.stderr.setEncoding("utf8");
    this.follow(child.stderr, (text: string) => {
      this.remember(text);
      return 0;
    });
    this.follow(child.stdout, (chunk: Buffer) => this.receive(chunk));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.on("error", (error) => this.onerror?.(error));
    child.once("exit", (code, signal) => {
      this.ending = code === null ? `signal ${signal}` : `exit code ${code}`;
      setTimeout(() => this.closed(), drainMilliseconds).unref();
    });
    child.once("close", () => this.closed());
  }

  /** Starts the program, which throws for an impossible command. Handrail's copies of inherited files are closed either way. */
  private startGroup(): ProcessGroup {
    try {
      return startProcessGroup(this.program);
    } finally {
      this.program.started();
    }
  }

  /** Follows the progress of a call by its token. @returns a function that ends it */
  followProgress(...call: Parameters<NotificationGate["follow"]>): () => void {
    return this.notifications.follow(...call);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.group?.child.stdin;
    if (!stdin?.writable || this.isClosed) throw new AppError("unavailable", "The server's input is closed.");
    const written = stdin.write(`${JSON.stringify(message)}\n`);
    if (written) return;
    await new Promise<void>((resolve) => {
      stdin.once("drain", resolve);
      stdin.once("close", resolve);
    });
  }

  async close(): Promise<void> {
    await this.group?.stop();
    this.closed();
    await this.release();
  }

  /** Releases the program's resources once, after the program's last process has ended. */
  private release(): Promise<void> {
    this.released ??= Promise.resolve(this.group?.stop()).then(() => {
      // If the program was never started, the inherited files are still open here.
      this.program.started();
      return this.program.release();
    });
    return this.released;
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.notifications.stop();
    for (const pause of this.pauses) clearTimeout(pause);
    this.pauses.clear();
    void this.release();
    this.onclose?.();
  }

  /**
   * Reads a stream at a bounded rate; `take` returns the number of messages in a piece. A flooding program blocks in its own
   * write, and Handrail stays responsive.
   */
  private follow<T extends string | Buffer>(stream: Readable, take: (piece: T) => number): void {
    const pace = makeRateLimit(outputPace);
    const paceOfMessages = makeRateLimit(messagePace);
    stream.on("data", (piece: T) => {
      const messages = take(piece);
      const pauseMs = Math.max(pace(piece.length), paceOfMessages(messages));
      if (pauseMs === 0 || this.isClosed) return;
      stream.pause();
      const pause = setTimeout(() => {
        this.pauses.delete(pause);
        stream.resume();
      }, pauseMs);
      this.pauses.add(pause);
    });
  }

  private receive(chunk: Buffer): number {
    let count = 0;
    for (const line of this.lines.read(chunk)) {
      if (this.fault) return count;
      count += 1;
      if (line.kind === "garbage") this.discard(line.text);
      else if (line.kind === "oversized") this.refuseOversized(line.id);
      else count += this.deliverAll(line.value) - 1;
    }
    if (this.lines.skipped > maxSkippedBytes) this.refuseOversized(null);
    return count;
  }

  /** Delivers the messages of a line. @returns their number */
  private deliverAll(value: unknown): number {
    const messages = readMessages(value);
    for (const message of messages) this.deliver(message);
    return messages.length;
  }

  private deliver(value: unknown): void {
    if (this.notifications.takes(value)) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const fault = answerFault(value);
      if (fault) this.onmessage?.(fault);
      this.discard(JSON.stringify(value).slice(0, 1_000));
      return;
    }
    this.garbageBytes = 0;
    this.onmessage?.(repairAnswer(message));
  }

  /** Ends the call of an oversized answer; when the id is unknown, ends the connection with all its calls. */
  private refuseOversized(id: number | null): void {
    if (id !== null) {
      this.onmessage?.({ jsonrpc: JSONRPC_VERSION, id, error: { code: ProtocolErrorCode.InternalError, message: oversizedSentence } });
      return;
    }
    this.giveUp(new AppError("too_large", oversizedSentence));
  }

  /** Keeps output that is no message for the error text, and gives up beyond `maxGarbageBytes`. */
  private discard(text: string): void {
    this.remember(`${text}\n`);
    this.garbageBytes += this.lines.lastBytes;
    if (this.garbageBytes > maxGarbageBytes) this.giveUp(new AppError("unavailable", garbageSentence));
  }

  private giveUp(fault: AppError): void {
    if (this.fault) return;
    this.fault = fault;
    this.onerror?.(fault);
    void this.close();
  }

  private remember(text: string): void {
    this.tail = (this.tail + withoutEscapeSequences(text.slice(-maxStderrCharacters))).slice(-maxStderrCharacters);
  }
}
