import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { identityEndpoints } from "../contracts/identity";
import { Connection } from "./connection";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { median, percentile } from "./statistics";
import { type Given, turnRequest, withProduct } from "./with-product";

const fileCount = scaled(6_000, 300);
const rounds = scaled(15, 3);
const searchesAtOnce = 4;
const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split(" ");

/** Cost of searching a tree beside grep, and the delay of another conversation during four searches. */
export const search = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { conversations, product, asAgent } = given;
    const [id = "", other = ""] = await conversations(2);
    const folder = await folderOf(given, id);
    const bytes = await plant(folder);
    const connection = await Connection.open(product.port);
    const request = (query: object) => turnRequest(product.port, id, asAgent, "search_files", { maxResults: 500, ...query });
    const ours = async (query: object) => timed(connection, request(query));
    const grep = (args: string[]) => {
      const began = performance.now();
      const { status } = spawnSync("grep", ["-rn", ...args, "."], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
      if (status !== 0) throw new Error(`grep ended with ${status}`);
      return performance.now() - began;
    };
    const compare = async (measured: string, query: object, args: string[]): Promise<Line> => {
      await ours(query);
      grep(args);
      const pairs: { ours: number; grep: number }[] = [];
      for (let round = 0; round < rounds; round++) pairs.push({ ours: await ours(query), grep: grep(args) });
      return {
        measured: `${measured}, ${fileCount} files, ${Math.round(bytes / 1_048_576)} MB / grep -rn`,
        ours: milliseconds(median(pairs.map((pair) => pair.ours))),
        anchor: milliseconds(median(pairs.map((pair) => pair.grep))),
        ratio: median(pairs.map((pair) => pair.ours / pair.grep)),
      };
    };
    const lines = [
      await compare("search_files, plain text", { query: "needle in" }, ["-F", "needle in"]),
      await compare("search_files, regular expression", { query: "needle (in|of) \\w+", regex: true }, ["-E", "needle (in|of) \\w+"]),
    ];
    connection.close();
    return [...lines, await besides(given, other, request({ query: "nowhere to be found" }))];
  });

/** `date_time` of a conversation while others search, beside the same while nobody does. */
async function besides({ product, asAgent }: Given, conversation: string, search: Buffer): Promise<Line> {
  const clock = await Connection.open(product.port);
  const request = turnRequest(product.port, conversation, asAgent, "date_time", {});
  const times = async (isOver: () => boolean, most: number) => {
    const found: number[] = [];
    while (!isOver() && found.length < most) found.push(await timed(clock, request));
    return found;
  };
  await times(() => false, 50);
  const alone = await times(() => false, 300);
  let running = searchesAtOnce;
  const searching = Array.from({ length: searchesAtOnce }, async () => {
    const connection = await Connection.open(product.port);
    for (let round = 0; round < 3; round++) await timed(connection, search);
    connection.close();
    running -= 1;
  });
  const beside = await times(() => running === 0, Number.POSITIVE_INFINITY);
  await Promise.all(searching);
  clock.close();
  const figures = (of: number[]) =>
    `p50 ${milliseconds(median(of))}, p95 ${milliseconds(percentile(of, 0.95))}, most ${milliseconds(Math.max(...of))}`;
  return {
    measured: `date_time while ${searchesAtOnce} search at once / while nobody does`,
    ours: figures(beside),
    anchor: figures(alone),
  };
}

async function timed(connection: Connection, request: Buffer): Promise<number> {
  const began = performance.now();
  const { status, body } = await connection.send(request);
  if (status !== 200 || !body.includes('"status":"succeeded"'))
    throw new Error(`an answer was wrong (${status}): ${body.toString().slice(0, 500)}`);
  return performance.now() - began;
}

/** The folder of a conversation, below that of its workspace. */
async function folderOf({ admin, folder }: Given, conversationId: string): Promise<string> {
  const { workspace } = await admin.call(identityEndpoints.me, {});
  const own = path.join(folder, "data/workspaces", workspace.id, "conversations", conversationId);
  await mkdir(own, { recursive: true });
  return own;
}

/** Files of about ten kilobytes; every hundredth has the needle. @returns their size together */
async function plant(folder: string): Promise<number> {
  let bytes = 0;
  for (let index = 0; index < fileCount; index++) {
    const lines = Array.from(
      { length: 200 },
      (_, line) => `${index}:${line} ${words.map((word, place) => words[(place * line + index) % words.length] ?? word).join(" ")}`,
    );
    if (index % 100 === 0) lines[100] = "a needle in a haystack";
    const text = `${lines.join("\n")}\n`;
    bytes += text.length;
    const name = path.join(folder, `d${index % 50}`, `f${index}.txt`);
    await mkdir(path.dirname(name), { recursive: true });
    await writeFile(name, text);
  }
  return bytes;
}
