import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { rgPath } from "@vscode/ripgrep";
import { Connection } from "./connection";
import { folderOf, timedCall } from "./conversation-folder";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { median, percentile } from "./statistics";
import { type Given, turnRequest, withProduct } from "./with-product";

const fileCount = scaled(50_000, 300);
const rounds = scaled(11, 3);
const searchesAtOnce = 4;
const paceMs = 20;
/** Searches one after the other, so that the steady caller is timed often enough for a p95. */
const searchesInARow = 6;
const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split(" ");

/** Cost of searching a tree of 50,000 files beside plain ripgrep, and the delay of another conversation meanwhile. */
export const search = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { conversations, product, asAgent } = given;
    const [id = "", other = ""] = await conversations(2);
    const folder = await folderOf(given, id);
    const bytes = await plant(folder);
    const connection = await Connection.open(product.port);
    const request = (query: object) => turnRequest(product.port, id, asAgent, "search_files", { maxResults: 500, ...query });
    const ours = async (query: object) => timed(connection, request(query));
    const plain = (args: string[]) => {
      const began = performance.now();
      const { status } = spawnSync(rgPath, ["-n", ...args, "."], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
      if (status !== 0) throw new Error(`rg ended with ${status}`);
      return performance.now() - began;
    };
    const compare = async (measured: string, query: object, args: string[]): Promise<Line> => {
      await ours(query);
      plain(args);
      const pairs: { ours: number; plain: number }[] = [];
      for (let round = 0; round < rounds; round++) pairs.push({ ours: await ours(query), plain: plain(args) });
      const ratio = median(pairs.map((pair) => pair.ours / pair.plain));
      return {
        measured: `${measured}, ${fileCount} files, ${Math.round(bytes / 1_048_576)} MB / rg -n`,
        ours: milliseconds(median(pairs.map((pair) => pair.ours))),
        anchor: milliseconds(median(pairs.map((pair) => pair.plain))),
        ratio,
        target: "<= 1.5",
        isMet: ratio <= 1.5,
      };
    };
    const lines = [
      await compare("search_files, plain text", { query: "needle in" }, ["-F", "needle in"]),
      await compare("search_files, regular expression", { query: "needle (in|of) \\w+", regex: true }, ["-e", "needle (in|of) \\w+"]),
    ];
    connection.close();
    const nowhere = request({ query: "nowhere to be found" });
    return [...lines, await besides(given, other, nowhere, 1), await besides(given, other, nowhere, searchesAtOnce)];
  });

/** `date_time` of a conversation while others search, beside the same while nobody does. */
async function besides({ product, asAgent }: Given, conversation: string, search: Buffer, atOnce: number): Promise<Line> {
  const clock = await Connection.open(product.port);
  const request = turnRequest(product.port, conversation, asAgent, "date_time", {});
  // One call each 20 ms, timed from the moment at which it was due, so that a late call makes its successors late as well.
  const times = async (isOver: () => boolean, most: number) => {
    const found: number[] = [];
    const began = performance.now();
    while (!isOver() && found.length < most) {
      const due = began + found.length * paceMs;
      const early = due - performance.now();
      if (early > 0) await wait(early);
      await timed(clock, request);
      found.push(performance.now() - due);
    }
    return found;
  };
  await times(() => false, 50);
  const alone = await times(() => false, 300);
  let running = atOnce;
  const searching = Array.from({ length: atOnce }, async () => {
    const connection = await Connection.open(product.port);
    for (let round = 0; round < searchesInARow; round++) await timed(connection, search);
    connection.close();
    running -= 1;
  });
  const beside = await times(() => running === 0, Number.POSITIVE_INFINITY);
  await Promise.all(searching);
  clock.close();
  const figures = (of: number[]) =>
    `p50 ${milliseconds(median(of))}, p95 ${milliseconds(percentile(of, 0.95))}, most ${milliseconds(Math.max(...of))}`;
  const ratio = percentile(beside, 0.95) / percentile(alone, 0.95);
  return {
    measured: `date_time each ${paceMs} ms, p95, while ${atOnce === 1 ? "one searches" : `${atOnce} search at once`} / while nobody does`,
    ours: figures(beside),
    anchor: figures(alone),
    ratio,
    // The promise is about one search; four at once show how it goes on.
    ...(atOnce === 1 ? { target: "<= 2", isMet: ratio <= 2 } : {}),
  };
}

const timed = async (connection: Connection, request: Buffer): Promise<number> => (await timedCall(connection, request)).ms;

/** Files of about two kilobytes, as source files are; every thousandth has the needle. @returns their size together */
async function plant(folder: string): Promise<number> {
  let bytes = 0;
  for (let index = 0; index < fileCount; index++) {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `${index}:${line} ${words.map((word, place) => words[(place * line + index) % words.length] ?? word).join(" ")}`,
    );
    if (index % 1_000 === 0) lines[10] = "a needle in a haystack";
    const text = `${lines.join("\n")}\n`;
    bytes += text.length;
    const name = path.join(folder, `d${index % 500}`, `f${index}.txt`);
    await mkdir(path.dirname(name), { recursive: true });
    await writeFile(name, text);
  }
  return bytes;
}
