import { createReadStream, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type Break, type Checkpoint, type Counts, type FoundRow, makeChecker, type StoredSeal } from "./check-seals.ts";
import { unpackLeaves } from "./leaf.ts";
import { type Dumped, readDump } from "./read-dump.ts";
import type { SealHeader } from "./seal.ts";

export type FileResult = {
  workspaceId: string;
  counts: Counts;
  publicKeys: string[];
  lastSealedAt: string | null;
  broken: Break | null;
  unsealed: number;
  /** Rows of archives whose files were not at hand. */
  unchecked: number;
};

type Options = {
  checkpoints: ReadonlyMap<string, readonly Checkpoint[]>;
  /** The folder of the blob store, for a dump with archives. */
  archives?: string | null;
  say?: (rows: number) => void;
};

/** Checks a sealed export, a dump of pg_dump or a folder of a backup, without a server. */
export async function verifyFiles(place: string, options: Options): Promise<FileResult[]> {
  if (!statSync(place).isDirectory() && (await isExport(place))) return [await verifyExport(place, options)];
  const dumped = await readDump(place, options.archives ?? null);
  const results: FileResult[] = [];
  for (const [workspaceId, content] of dumped) results.push(await verifyDumped(workspaceId, content, options));
  return results;
}

type KeptCheckpoint = { seal: string; hash: string };

/** Reads a file of checkpoints: lines of JSON as in `audit-checkpoints.ndjson`, one of them, or a list as the API answers it. */
export function readCheckpoints(file: string): Map<string, Checkpoint[]> {
  const byWorkspace = new Map<string, Checkpoint[]>();
  const text = readFileSync(file, "utf8").trim();
  const kept = (text.startsWith("{") && !text.includes("\n{") ? [text] : text.split("\n")).flatMap((line) => {
    const read = JSON.parse(line) as KeptCheckpoint | { items: KeptCheckpoint[] };
    return "items" in read ? read.items : [read];
  });
  for (const { seal, hash } of kept) {
    const { workspaceId, number } = JSON.parse(seal) as SealHeader;
    byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), { number, hash }]);
  }
  return byWorkspace;
}

async function isExport(file: string): Promise<boolean> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0).finally(() => handle.close());
  return bytesRead === 0 || buffer.toString("utf8").startsWith('{"format":"handrail-audit-1"');
}

type ExportLine = { seal: string; hash: string; signature: string; publicKey: string; leaves: string; rows: FoundRow[] };

async function verifyExport(file: string, { checkpoints, say }: Options): Promise<FileResult> {
  let checker: ReturnType<typeof makeChecker> | null = null;
  const result = emptyResult("");
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === "") continue;
    const { seal: text, leaves, rows, ...signed } = JSON.parse(line) as ExportLine;
    const header = JSON.parse(text) as SealHeader;
    const seal: StoredSeal = { ...header, ...signed, leaves: unpackLeaves(Buffer.from(leaves, "base64")) };
    if (!checker) {
      result.workspaceId = header.workspaceId;
      checker = makeChecker({ find: async () => null, checkpoints: checkpoints.get(header.workspaceId) ?? [], isWhole: true });
    }
    result.broken = await checker.next(seal, rows);
    note(result, seal, checker.counts);
    say?.(checker.counts.rows);
    if (result.broken) return result;
  }
  result.broken = checker?.end() ?? null;
  return result;
}

async function verifyDumped(workspaceId: string, { seals, rows, missing }: Dumped, { checkpoints, say }: Options): Promise<FileResult> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const checker = makeChecker({ find: async (id) => byId.get(id) ?? null, checkpoints: checkpoints.get(workspaceId) ?? [], isWhole: true });
  const result = emptyResult(workspaceId);
  let at = 0;
  for (const seal of seals) {
    const begin = at;
    for (let row = rows[at]; row && (row.xid < seal.lastXid || (row.xid === seal.lastXid && row.id <= seal.lastId)); row = rows[at])
      at += 1;
    const isMissing = missing.some(({ firstSeal, lastSeal }) => seal.number >= firstSeal && seal.number <= lastSeal);
    result.broken = isMissing ? checker.skip(seal) : await checker.next(seal, rows.slice(begin, at));
    note(result, seal, checker.counts);
    say?.(checker.counts.rows);
    if (result.broken) return result;
  }
  result.unchecked = missing.reduce((sum, archive) => sum + archive.rows, 0);
  // Records may lie in the missing archives: only seals are checked to the end.
  result.broken = checker.end({ withRecords: missing.length === 0 });
  result.unsealed = rows.length - at;
  return result;
}

const emptyResult = (workspaceId: string): FileResult => ({
  workspaceId,
  counts: { seals: 0, rows: 0, removed: 0, erased: 0 },
  publicKeys: [],
  lastSealedAt: null,
  broken: null,
  unsealed: 0,
  unchecked: 0,
});

function note(result: FileResult, seal: StoredSeal, counts: Counts): void {
  result.counts = counts;
  if (result.broken) return;
  result.lastSealedAt = seal.sealedAt;
  if (!result.publicKeys.includes(seal.publicKey)) result.publicKeys.push(seal.publicKey);
}
