import { type ChildProcessByStdio, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { installedNode, installProgram } from "../scripts/install-program";
import { startProgram } from "./child-program";
import { load, type Target } from "./load";
import { startStub, stubProgram } from "./mcp-anchors";
import { connectStub } from "./mcp-calls";
import { echoOf, mcpTarget, ownTool } from "./mcp-endpoint";
import { type Line, milliseconds } from "./report";
import { roundSeconds, scaled } from "./scale";
import { type Measured, median, summarise } from "./statistics";
import { type Given, withProduct } from "./with-product";

const bareProgram = path.resolve(import.meta.dirname, "bare-insert-server.ts");
const revisions = ["2025-11-25", "2026-07-28"] as const;
/** Times of a durable insert and the same call made directly, together, that a call through /mcp may take. */
const maxOfParts = 1.5;
/** Times of the same call through REST that a builtin tool through /mcp may take. */
const maxOfRest = 1.3;

/**
 * Cost of a guarded, audited call on the way through /mcp: to an upstream, beside a durable insert and the same call made
 * directly, and of a builtin tool beside REST. One caller, all in alternating rounds of one run.
 */
export const mcpWay = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const rest = await given.callTarget("date_time", {}, 1);
    // Leaves the audit row that the bare server copies.
    await load(rest, 1, 0.1);
    const stub = await startStub();
    const bare = startProgram([bareProgram, given.databaseUrl]);
    const program = await installProgram("stub", stubProgram);
    const pipe = new Pipe(program);
    try {
      await connectStub(given.admin, { alias: "remote", transport: "streamable_http", url: stub.url });
      await connectStub(given.admin, { alias: "piped", transport: "stdio", command: installedNode(), args: [program] });
      await pipe.open();
      const [, port] = await bare.says(/listening on (\d+)/);
      const insert = { port: Number(port), requestOf: rest.requestOf, expects: rest.expects };
      return await compare(given, { rest, insert, direct: stub.target, pipe });
    } finally {
      pipe.close();
      await bare.stop();
      await stub.stop();
    }
  });

type Parts = { rest: Target; insert: Target; direct: Target; pipe: Pipe };

async function compare(given: Given, { rest, insert, direct, pipe }: Parts): Promise<Line[]> {
  const of = (target: Target) => () => load(target, 1);
  const contestants: Record<string, () => Promise<Measured>> = {
    rest: of(rest),
    insert: of(insert),
    "direct HTTP": of(direct),
    "direct stdio": () => pipe.load(roundSeconds),
  };
  for (const upstream of ["remote", "piped"])
    contestants[`${upstream} as a turn`] = of(await given.callTarget(`${upstream}__echo`, { text: "hello" }, 1));
  for (const revision of revisions) {
    contestants[`date_time ${revision}`] = of(mcpTarget(given, revision, ownTool));
    for (const upstream of ["remote", "piped"]) contestants[`${upstream} ${revision}`] = of(mcpTarget(given, revision, echoOf(upstream)));
  }
  const rounds = await alternate(contestants);
  const p50 = (name: string) => median(rounds.map((round) => round[name] ?? Number.NaN));
  const line = (measured: string, name: string, parts: string[], most: number | null): Line => {
    const together = (round: Record<string, number>) => parts.reduce((sum, part) => sum + (round[part] ?? Number.NaN), 0);
    const ratio = median(rounds.map((round) => (round[name] ?? Number.NaN) / together(round)));
    const anchor = milliseconds(parts.reduce((sum, part) => sum + p50(part), 0));
    return {
      measured,
      ours: milliseconds(p50(name)),
      anchor,
      ratio,
      ...(most === null ? {} : { target: `<= ${most}`, isMet: ratio <= most }),
    };
  };
  return [
    ...revisions.flatMap((revision) => [
      line(`date_time through /mcp (${revision}), p50 / REST`, `date_time ${revision}`, ["rest"], maxOfRest),
      line(`HTTP through /mcp (${revision}), p50 / insert + direct`, `remote ${revision}`, ["insert", "direct HTTP"], maxOfParts),
      line(`stdio through /mcp (${revision}), p50 / insert + direct`, `piped ${revision}`, ["insert", "direct stdio"], maxOfParts),
    ]),
    line("date_time through REST, p50 / insert", "rest", ["insert"], null),
    line("HTTP as a turn, p50 / insert + direct", "remote as a turn", ["insert", "direct HTTP"], null),
    line("stdio as a turn, p50 / insert + direct", "piped as a turn", ["insert", "direct stdio"], null),
    line("direct call over HTTP, p50 / insert", "direct HTTP", ["insert"], null),
    line("direct call over stdio, p50 / insert", "direct stdio", ["insert"], null),
  ];
}

/** The p50 of each contestant by round, in ms. The first round warms up; every other round goes backwards. */
async function alternate(contestants: Record<string, () => Promise<Measured>>): Promise<Record<string, number>[]> {
  const names = Object.keys(contestants);
  const rounds: Record<string, number>[] = [];
  for (let round = -1; round < scaled(5, 2); round++) {
    const measured: Record<string, number> = {};
    for (const name of round % 2 === 0 ? names : names.toReversed()) measured[name] = (await contestants[name]?.())?.p50Ms ?? Number.NaN;
    if (round >= 0) rounds.push(measured);
  }
  return rounds;
}

/** The stub over its own pipe: the call that a client makes directly, without any library. */
class Pipe {
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null;
  #answered: ((line: string) => void) | null = null;
  #id = 0;

  constructor(private readonly program: string) {}

  async open(): Promise<void> {
    this.#child = spawn(process.execPath, [this.program], { stdio: ["pipe", "pipe", "ignore"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#answered?.(line));
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } });
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }

  async load(seconds: number): Promise<Measured> {
    const times: number[] = [];
    const began = performance.now();
    for (let before = began; before < began + seconds * 1_000; before = performance.now()) {
      const line = await this.#ask("tools/call", { name: "echo", arguments: { text: "hello" } });
      if (!line.includes('"text":"hello"')) throw new Error(`an answer was wrong: ${line.slice(0, 1_000)}`);
      times.push(performance.now() - before);
    }
    return summarise(times, performance.now() - began);
  }

  close(): void {
    this.#child?.kill();
  }

  #ask(method: string, params: object): Promise<string> {
    this.#id += 1;
    const message = JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params });
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#child?.stdin.write(`${message}\n`);
    });
  }
}
