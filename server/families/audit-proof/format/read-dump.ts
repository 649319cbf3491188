import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import type { FoundRow, StoredSeal } from "./check-seals.ts";
import { sha256, unpackLeaves } from "./leaf.ts";

type DumpedRow = FoundRow & { xid: bigint };
/** A file with the rows of seals that are not in the table. */
type ArchiveFile = { firstSeal: number; lastSeal: number; rows: number; sha256: string };

/** The part of a dump for one workspace: its seals in order, and its rows in the order of the audit. */
export type Dumped = {
  seals: (StoredSeal & { lastXid: bigint; lastId: string })[];
  rows: DumpedRow[];
  /** Archives whose files are not at hand: their rows cannot be checked. */
  missing: ArchiveFile[];
};

type Values = Record<string, string | null>;
type Line = { table: string; values: Values };

/**
 * Reads audit rows and seals from a plain dump of pg_dump (also compressed with gzip) or a folder of `npm run backup`. The rows are
 * held in memory, because a dump has them in no order.
 * @param archives the folder of the blob store, where archived rows lie; a backup has them itself
 */
export async function readDump(place: string, archives: string | null): Promise<Map<string, Dumped>> {
  const byWorkspace = new Map<string, Dumped>();
  const files = archives ?? (statSync(place).isDirectory() ? path.join(place, "contents") : null);
  for await (const { table, values } of statSync(place).isDirectory() ? backupLines(place) : dumpLines(place)) {
    const id = values.workspace_id ?? "";
    const dumped = byWorkspace.get(id) ?? { seals: [], rows: [], missing: [] };
    byWorkspace.set(id, dumped);
    if (table === "audit_seals") dumped.seals.push(toSeal(values));
    else if (table === "audit_archives") await addArchive(dumped, values, files);
    else dumped.rows.push(toRow(values));
  }
  for (const { seals, rows } of byWorkspace.values()) {
    seals.sort((a, b) => a.number - b.number);
    rows.sort((a, b) => (a.xid < b.xid ? -1 : a.xid > b.xid ? 1 : a.id < b.id ? -1 : 1));
  }
  return byWorkspace;
}

const isAudit = (table: string) => /^audit_(archives|seals|events(_\w+)?)$/.test(table);

/** Adds the rows of an archive. A file with other bytes than its name says counts as missing. */
async function addArchive(dumped: Dumped, values: Values, files: string | null): Promise<void> {
  if (values.unused_since != null) return;
  const hash = values.sha256 ?? "";
  const file = files === null ? null : path.join(files, hash.slice(0, 2), hash.slice(2, 4), hash);
  if (file === null || !existsSync(file) || sha256(readFileSync(file)).toString("hex") !== hash) {
    const numbers = { firstSeal: Number(values.first_seal), lastSeal: Number(values.last_seal), rows: Number(values.rows) };
    dumped.missing.push({ ...numbers, sha256: hash });
    return;
  }
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (line === "") continue;
    const { rows } = JSON.parse(line) as { rows: (FoundRow & { xid: string })[] };
    for (const { id, xid, fields, payload } of rows) dumped.rows.push({ id, xid: BigInt(xid), fields, payload });
  }
}

const linesOf = (file: string) =>
  createInterface({
    input: file.endsWith(".gz") ? createReadStream(file).pipe(createGunzip()) : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });

async function* dumpLines(file: string): AsyncGenerator<Line> {
  let copy: { table: string; columns: string[] } | null = null;
  for await (const line of linesOf(file)) {
    if (copy) {
      if (line === "\\.") copy = null;
      else if (isAudit(copy.table)) yield { table: copy.table, values: toValues(line, copy.columns) };
      continue;
    }
    const begin = /^COPY (?:"?public"?\.)?"?(\w+)"? \((.*)\) FROM stdin;$/.exec(line);
    if (begin) copy = { table: begin[1] ?? "", columns: (begin[2] ?? "").split(", ").map((name) => name.replaceAll('"', "")) };
  }
}

async function* backupLines(folder: string): AsyncGenerator<Line> {
  const file = path.join(folder, "manifest.json");
  if (!existsSync(file)) throw new Error(`${folder} is no backup: it has no manifest.json`);
  const { tables } = JSON.parse(readFileSync(file, "utf8")) as { tables: { name: string; columns: string[]; file: string }[] };
  for (const table of tables.filter(({ name }) => isAudit(name))) {
    for await (const line of linesOf(path.join(folder, table.file))) yield { table: table.name, values: toValues(line, table.columns) };
  }
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function toValues(line: string, columns: readonly string[]): Values {
  const cells = line.split("\t");
  return Object.fromEntries(
    columns.map((name, index) => {
      const cell = cells[index] ?? "";
      return [name, cell === "\\N" ? null : cell.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)];
    }),
  );
}

/** Milliseconds since 1970 of a time as Postgres writes it: `2026-11-29 11:01:12.123+00`. */
const milliseconds = (text: string | null) => Date.parse((text ?? "").replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
const iso = (text: string | null) => new Date(milliseconds(text)).toISOString();

function toSeal(values: Values): Dumped["seals"][number] {
  const textOf = (name: string) => values[name] ?? "";
  return {
    workspaceId: textOf("workspace_id"),
    number: Number(values.number),
    firstPlace: Number(values.first_place),
    rows: Number(values.rows),
    root: textOf("root"),
    through: iso(textOf("through")),
    sealedAt: iso(textOf("sealed_at")),
    previous: textOf("previous"),
    hash: textOf("hash"),
    signature: textOf("signature"),
    publicKey: textOf("public_key"),
    leaves: unpackLeaves(Buffer.from(textOf("leaves").replace(/^\\x/, ""), "hex")),
    lastXid: BigInt(textOf("last_xid")),
    lastId: textOf("last_id"),
  };
}

/** Writes an object as `json_build_object` of Postgres does. The values are JSON already. */
const objectText = (members: Record<string, string>) =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}" : ${value}`)
    .join(", ")}}`;

function toRow(values: Values): DumpedRow {
  const text = (name: string) => JSON.stringify(values[name] ?? null);
  const moment = (name: string) => (values[name] == null ? "null" : String(milliseconds(values[name])));
  return {
    id: values.id ?? "",
    xid: BigInt(values.xid ?? -1),
    fields: objectText({
      id: text("id"),
      at: moment("at"),
      workspaceId: text("workspace_id"),
      event: text("event"),
      actorType: text("actor_type"),
      actorId: text("actor_id"),
      tool: text("tool"),
      agent: text("agent"),
      source: text("source"),
      verdict: text("verdict"),
      conversationId: text("conversation_id"),
      turnId: text("turn_id"),
      callId: text("call_id"),
      requestId: text("request_id"),
      movedAt: moment("moved_at"),
    }),
    payload: objectText({ actorName: text("actor_name"), subject: text("subject"), data: values.data ?? "{}" }),
  };
}
