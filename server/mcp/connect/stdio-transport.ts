import "server-only";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { JSONRPC_VERSION, ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { AppError } from "@/server/platform/errors";
import { withoutEscapeSequences } from "./clean-text";
import { JsonLines } from "./json-lines";
import { type ProcessGroup, type ProcessGroupOptions, startProcessGroup } from "./process-group";

/** Largest message of a server, in bytes. */
export const maxMessageBytes = 16 * 1_024 * 1_024;
export const oversizedSentence = `The answer was larger than ${maxMessageBytes / 1_048_576} MiB and was thrown away. Ask for less.`;

/** A line that is longer than this cannot be waited for any more. */
const maxSkippedBytes = 256 * 1_024 * 1_024;
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
  private tail = "";
  private isClosed = false;
  /** How the process ended: "exit code 1", "signal SIGKILL". */
  ending: string | null = null;

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
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.remember(text));
    child.stdout.on("data", (chunk: Buffer) => this.receive(chunk));
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
    this.onclose?.();
  }

  private receive(chunk: Buffer): void {
    for (const line of this.lines.read(chunk)) {
      if (line.kind === "garbage") this.remember(`${line.text}\n`);
      else if (line.kind === "oversized") this.refuseOversized(line.id);
      else this.deliver(line.value);
    }
    if (this.lines.skipped > maxSkippedBytes) this.refuseOversized(null);
  }

  private deliver(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.remember(`${JSON.stringify(value).slice(0, 1_000)}\n`);
      return;
    }
    this.onmessage?.(message);
  }

  /** Ends the call that the answer belongs to; where nobody can say which one, the connection, and so all its calls. */
  private refuseOversized(id: number | null): void {
    if (id !== null) {
      this.onmessage?.({ jsonrpc: JSONRPC_VERSION, id, error: { code: ProtocolErrorCode.InternalError, message: oversizedSentence } });
      return;
    }
    this.onerror?.(new AppError("too_large", oversizedSentence));
    void this.close();
  }

  private remember(text: string): void {
    this.tail = (this.tail + withoutEscapeSequences(text.slice(-maxStderrCharacters))).slice(-maxStderrCharacters);
  }
}
