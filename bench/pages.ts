import { randomBytes } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { Connection } from "./connection";
import { folderOf, timedCall } from "./conversation-folder";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { median } from "./statistics";
import { turnRequest, withProduct } from "./with-product";

const megabytes = scaled(300, 30);
const rounds = scaled(11, 3);
const targetMs = 50;
const record = '{"id":1234567,"name":"a record of the export","tags":["alpha","beta"],"note":"größer als ASCII"},';

/** A page of a file of 300 MB, at its beginning and deep inside, and the tokens of read_file's answer. */
export const pages = (): Promise<Line[]> =>
  withProduct(async (given) => {
    const { conversations, product, asAgent } = given;
    const [id = ""] = await conversations(1);
    const folder = await folderOf(given, id);
    const connection = await Connection.open(product.port);
    const read = (args: object) => timedCall(connection, turnRequest(product.port, id, asAgent, "read_file", args));
    const line = "2026-11-26T10:00:00Z worker-7 INFO a line of a log, as long as such lines are\n";
    const bytes = megabytes * 1_000_000;
    await fill(path.join(folder, "log.txt"), line, bytes);
    await fill(path.join(folder, "one-line.json"), record, bytes);
    const middleLine = Math.floor(bytes / 2 / line.length);
    const middleColumn = Math.floor(bytes / 2 / Buffer.byteLength(record)) * record.length;
    const lines: Line[] = [];
    const compare = async (measured: string, argsOf: (round: number) => object) => {
      await read(argsOf(0));
      const times: number[] = [];
      for (let round = 1; round <= rounds; round++) times.push((await read(argsOf(round))).ms);
      lines.push({ measured, ours: milliseconds(median(times)), target: `<= ${targetMs} ms`, isMet: median(times) <= targetMs });
    };
    const size = `${megabytes} MB`;
    // A page that was read is answered `unchanged`, and a known place is near the next one: so each round asks elsewhere.
    await compare(`first page of a log of ${size}`, (round) => ({ path: "log.txt", maxLines: 200 + round }));
    await compare(`page from a line in the middle of a log of ${size}`, (round) => ({
      ...{ path: "log.txt", startLine: middleLine - round * 1_000, maxLines: 200 },
    }));
    await compare(`the page after a known one, in the middle of a log of ${size}`, (round) => ({
      ...{ path: "log.txt", startLine: middleLine + 200 * (round + 1), maxLines: 200 },
    }));
    await compare(`first page of one line of ${size}`, (round) => ({ path: "one-line.json", startColumn: 1 + round }));
    await compare(`page from a column in the middle of one line of ${size}`, (round) => ({
      ...{ path: "one-line.json", startColumn: middleColumn - round * 1_000 },
    }));
    lines.push(await tokens(folder, (file) => read({ path: file })));
    connection.close();
    return lines;
  });

async function fill(file: string, piece: string, bytes: number): Promise<void> {
  const block = Buffer.from(piece.repeat(Math.ceil(1_000_000 / Buffer.byteLength(piece))));
  const out = createWriteStream(file);
  for (let written = 0; written < bytes; written += block.byteLength) {
    if (!out.write(block)) await new Promise<void>((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
}

/** Tokens of read_file's answers for source files of this repository, beside those of the files. */
async function tokens(folder: string, read: (file: string) => Promise<{ text: string }>): Promise<Line> {
  const sources = ["bench/pages.ts", "bench/run.ts", "package.json", "server/tools/results/text-page.ts", "docs/adding-a-tool.md"];
  let [ours, plain] = [0, 0];
  for (const source of sources) {
    const text = readFileSync(path.resolve(import.meta.dirname, "..", source), "utf8");
    const name = `${randomBytes(4).toString("hex")}-${path.basename(source)}`;
    await writeFile(path.join(folder, name), text);
    ours += countTokens((await read(name)).text);
    plain += countTokens(text);
  }
  const ratio = ours / plain;
  return {
    measured: `tokens (o200k) of read_file's answers for ${sources.length} files / of the files`,
    ours: ours.toLocaleString("en"),
    anchor: plain.toLocaleString("en"),
    ratio,
    target: "<= 1.25",
    isMet: ratio <= 1.25,
  };
}
