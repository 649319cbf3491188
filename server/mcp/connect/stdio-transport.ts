import "server-only";
import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { JSONRPC_VERSION, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { AppError } from "@/server/platform/errors";
import { withoutEscapeSequences } from "./clean-text";
import { JsonLines } from "./json-lines";
import { makePace } from "./pace";
import { type ProcessGroup, type ProcessGroupOptions, startProcessGroup } from "./process-group";
import { ProgressGate } from "./progress-gate";

/** Largest message of a server, in bytes. */
export const maxMessageBytes = 16 * 1_024 * 1_024;
export const oversizedSentence = `The answer was larger than ${maxMessageBytes / 1_048_576} MiB and was thrown away. Ask for less.`;

/** A line that is longer than this cannot be waited for any more. */
const maxSkippedBytes = 64 * 1_024 * 1_024;
/** So much between two messages is no slip of a program that prints to its output by mistake. */
const maxGarbageBytes = 4 * 1_024 * 1_024;
const garbageSentence = `The server wrote ${maxGarbageBytes / 1_048_576} MiB to its output that are not MCP. Check that the command starts an MCP server.`;
/** How fast a server's output is read: after the largest answer in one go, at a rate that leaves us time for others. */
const outputPace = { burst: 2 * maxMessageBytes, perSecond: 8 * 1_024 * 1_024 };
const maxStderrCharacters = 4_000;
/** How long output may still arrive after a process ended, in milliseconds: a child of it may hold the pipe open. */
const drainMilliseconds = 200;

/**
 * MCP over the standard streams of a program. The SDK's own transport ends one process only and keeps no error
 * output; this one ends the whole process group, remembers the last lines of the error stream, and survives answers of
 * any size. The SDK recognises a transport over pipes by its `pid` and `stderr`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private group: ProcessGroup | null = null;
  private readonly lines = new JsonLines(maxMessageBytes);
  private readonly progress = new ProgressGate((message) => this.onmessage?.(message));
  private garbageBytes = 0;
  private readonly pauses = new Set<NodeJS.Timeout>();
  private tail = "";
  private isClosed = false;
  /** How the process ended: "exit code 1", "signal SIGKILL". */
  ending: string | null = null;
  /** Why we ended it. */
  fault: AppError | null = null;

  constructor(private readonly options: ProcessGroupOptions) {}

  get pid(): number | null {
    return this.group?.child.pid ?? null;
  }

  /** The last lines that the program wrote to its error stream, and what it wrote to its output by mistake. */
  get stderr(): string | null {
    return this.tail.trim() || null;
  }

  async start(): Promise<void> {
    if (this.group) throw new Error("This transport was started before");
    const group = startProcessGroup(this.options);
    this.group = group;
    const { child } = group;
    // A pipe whose other end is gone is told by the process's own ending.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.stderr.setEncoding("utf8");
    this.follow(child.stderr, (text: string) => this.remember(text));
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
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.progress.stop();
    for (const pause of this.pauses) clearTimeout(pause);
    this.pauses.clear();
    this.onclose?.();
  }

  /** Reads a stream at a bounded rate: a program that floods waits in its own write, and we go on with other things. */
  private follow<T extends string | Buffer>(stream: Readable, take: (piece: T) => void): void {
    const pace = makePace(outputPace);
    stream.on("data", (piece: T) => {
      take(piece);
      const pauseMs = pace(piece.length);
      if (pauseMs === 0 || this.isClosed) return;
      stream.pause();
      const pause = setTimeout(() => {
        this.pauses.delete(pause);
        stream.resume();
      }, pauseMs);
      this.pauses.add(pause);
    });
  }

  private receive(chunk: Buffer): void {
    for (const line of this.lines.read(chunk)) {
      if (this.fault) return;
      if (line.kind === "garbage") this.discard(line.text);
      else if (line.kind === "oversized") this.refuseOversized(line.id);
      else this.deliver(line.value);
    }
    if (this.lines.skipped > maxSkippedBytes) this.refuseOversized(null);
  }

  private deliver(value: unknown): void {
    if (this.progress.takes(value)) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.discard(JSON.stringify(value).slice(0, 1_000));
      return;
    }
    this.garbageBytes = 0;
    this.onmessage?.(message);
  }

  /** Ends the call that the answer belongs to; where nobody can say which one, the connection, and so all its calls. */
  private refuseOversized(id: number | null): void {
    if (id !== null) {
      this.onmessage?.({ jsonrpc: JSONRPC_VERSION, id, error: { code: ProtocolErrorCode.InternalError, message: oversizedSentence } });
      return;
    }
    this.giveUp(new AppError("too_large", oversizedSentence));
  }

  /** What is no message is shown to whoever looks for the reason, up to a bound. */
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
