import { digestOf, type Leaf, leafDigest, leafStates, type RowText, sha256 } from "./leaf.ts";
import { merkleRoot } from "./merkle.ts";
import { firstPrevious, isSigned, type SignedSeal, sealHash } from "./seal.ts";

/** A row as it is found now, in the order of the audit. */
export type FoundRow = RowText & { id: string };
export type StoredSeal = SignedSeal & { leaves: readonly Leaf[] };

export const breakKinds = ["changed", "removed", "inserted", "reordered", "seal", "signature", "checkpoint", "record", "archive"] as const;
export type Break = {
  kind: (typeof breakKinds)[number];
  /** The row; null where a seal, a signature, a checkpoint or an archive is broken. */
  id: string | null;
  /** Number of the seal; null for a checkpoint without one. */
  seal: number | null;
  /** Place of the row in the workspace's audit, from 1; null for a row that no seal covers. */
  place: number | null;
  /** The fault, for people. */
  sentence: string;
};

/** The hash that a seal must have, from a checkpoint kept elsewhere. */
export type Checkpoint = { number: number; hash: string };
export type Counts = { seals: number; rows: number; removed: number; erased: number };

/** A seal whose rows stand as they were sealed. Times are milliseconds since 1970; null without such rows. */
export type DigestedSeal = {
  /** Of the rows that the archive has not moved. */
  oldest: number | null;
  newest: number | null;
  /** The rows that may record a removal or an erasure. */
  records: readonly FoundRow[];
};

/** The data of the audit row of a removal or an erasure. `left`: root over what an erasure left; absent in records of before. */
type Recorded = { rows: number; root: string; left?: string };

/** The rows that are marked as gone with one record: roots of their digests by seal, and the digests of what an erasure left. */
type Gone = { rows: number; roots: Buffer[]; left: Buffer[] };

/** A row may be written this much after its time: a transaction that takes longer is ended by the database. */
const lateMs = 15 * 60_000;
/** A row's time may lie this much after its seal, because clocks are set. */
const earlyMs = 60_000;

const recordEvents = new Set(["audit.rows_removed", "audit.payloads_erased"]);

export type Checker = ReturnType<typeof makeChecker>;

/**
 * Makes a checker that takes the seals of one workspace in their order, each with the rows of its range.
 * @param find looks for a row elsewhere by its id; null when it is nowhere
 * @param isWhole the check begins at the first seal and ends at the last one
 */
export function makeChecker({
  find,
  checkpoints = [],
  isWhole,
}: {
  find: (id: string) => Promise<FoundRow | null>;
  checkpoints?: readonly Checkpoint[];
  isWhole: boolean;
}) {
  const counts: Counts = { seals: 0, rows: 0, removed: 0, erased: 0 };
  const expected = new Map(checkpoints.map(({ number, hash }) => [number, hash]));
  const roots = new Map<string, Gone>();
  const recorded = new Map<string, Recorded>();
  let last: StoredSeal | null = null;

  const take = (seal: StoredSeal, rows: number): void => {
    expected.delete(seal.number);
    counts.seals += 1;
    counts.rows += rows;
    last = seal;
  };

  return {
    counts,
    /** Checks the next seal and its rows. @returns the first thing that is wrong; null when nothing is */
    async next(seal: StoredSeal, rows: readonly FoundRow[]): Promise<Break | null> {
      const broken = checkSeal(seal, last, isWhole, expected) ?? (await checkRows(seal, last, rows, find));
      if (broken) return broken;
      for (const row of rows) noteRecord(row, recorded);
      tally(seal, rows, roots, counts);
      take(seal, rows.length);
      return null;
    },
    /**
     * Takes the next seal when its rows were digested elsewhere.
     * @returns false, with nothing taken, when something is unusual: `next` tells it from the rows
     */
    takeDigested(seal: StoredSeal, { oldest, newest, records }: DigestedSeal): boolean {
      const { earliest, latest } = usualTimes(seal, last);
      if (newest === null || newest > latest || (oldest ?? latest) < earliest) return false;
      if (checkSeal(seal, last, isWhole, expected)) return false;
      for (const row of records) noteRecord(row, recorded);
      take(seal, seal.rows);
      return true;
    },
    /** Checks the next seal without its rows, which are not at hand. @returns the first thing that is wrong */
    skip(seal: StoredSeal): Break | null {
      const broken = checkSeal(seal, last, isWhole, expected);
      if (broken) return broken;
      take(seal, 0);
      return null;
    },
    /** Checks what only the end shows: the last signature, missing seals, and the records of what was removed. */
    end({ withRecords = true } = {}): Break | null {
      if (last && !isSigned(last)) return brokenSeal(last, "signature", "does not have a signature that fits its hash");
      if (!isWhole) return null;
      const [missing] = [...expected.keys()].sort((a, b) => a - b);
      if (missing !== undefined) {
        return {
          kind: "checkpoint",
          id: null,
          seal: missing,
          place: null,
          sentence: `Seal ${missing} of a checkpoint is missing: the end of the audit was cut off.`,
        };
      }
      return withRecords ? checkRecords(roots, recorded) : null;
    },
  };
}

function brokenSeal(seal: StoredSeal, kind: Break["kind"], what: string): Break {
  return { kind, id: null, seal: seal.number, place: seal.firstPlace, sentence: `Seal ${seal.number} ${what}.` };
}

function checkSeal(seal: StoredSeal, last: StoredSeal | null, isWhole: boolean, expected: ReadonlyMap<number, string>): Break | null {
  const broken = (what: string) => brokenSeal(seal, "seal", what);
  if (isWhole && !last && seal.number !== 1) return broken("comes first: the seals before it were removed");
  if (last && seal.number !== last.number + 1) return broken(`follows seal ${last.number}: the seals between them were removed`);
  if (last ? seal.previous !== last.hash : seal.number === 1 && seal.previous !== firstPrevious)
    return broken("does not follow the one before it");
  if (last && seal.firstPlace !== last.firstPlace + last.rows) return broken("does not begin where the one before it ends");
  if (sealHash(seal) !== seal.hash) return broken("was changed: its hash is another one");
  if (seal.leaves.length !== seal.rows) return broken(`covers ${seal.rows} rows and has ${seal.leaves.length} digests`);
  if (merkleRoot(seal.leaves.map(({ digest }) => digest)).toString("hex") !== seal.root)
    return broken("has other digests than its root covers");
  const hash = expected.get(seal.number);
  if (hash !== undefined && hash !== seal.hash)
    return brokenSeal(seal, "checkpoint", "is not the one that a checkpoint names: the audit was rewritten");
  // A change of the key ends the chain of one signer, so that its last signature counts.
  if (last && last.publicKey !== seal.publicKey && !isSigned(last))
    return brokenSeal(last, "signature", "does not have a signature that fits its hash");
  return null;
}

async function checkRows(
  seal: StoredSeal,
  last: StoredSeal | null,
  rows: readonly FoundRow[],
  find: (id: string) => Promise<FoundRow | null>,
): Promise<Break | null> {
  const byId = new Map(rows.map((row, order) => [row.id, { row, order }]));
  const { earliest, latest } = usualTimes(seal, last);
  const isInTime = (row: FoundRow) => timeOf(row) >= earliest && timeOf(row) <= latest;
  let order = -1;
  for (const [index, leaf] of seal.leaves.entries()) {
    const broken = (kind: Break["kind"], sentence: string): Break => ({
      kind,
      id: leaf.id,
      seal: seal.number,
      place: seal.firstPlace + index,
      sentence,
    });
    const found = byId.get(leaf.id);
    byId.delete(leaf.id);
    if (leaf.state === leafStates.removed) {
      if (found) return broken("inserted", `Row ${leaf.id} was removed by the retention and stands here again.`);
      continue;
    }
    if (!found) {
      const elsewhere = await find(leaf.id);
      if (!elsewhere) return broken("removed", `Row ${leaf.id} was removed.`);
      if (fits(elsewhere, leaf)) return broken("reordered", `Row ${leaf.id} was moved to another place.`);
      return broken("changed", `Row ${leaf.id} was changed and moved to another place.`);
    }
    if (!fits(found.row, leaf)) return swapped(found.row, leaf, seal, broken) ?? broken("changed", `Row ${leaf.id} was changed.`);
    if (found.order < order) return broken("reordered", `Row ${leaf.id} was moved to another place.`);
    order = found.order;
    const late = isInTime(found.row) ? null : timeFault(found.row, seal, last);
    if (late) return broken("inserted", `Row ${leaf.id} was inserted later: ${late}.`);
  }
  const [extra] = byId.keys();
  if (extra !== undefined) {
    return { kind: "inserted", id: extra, seal: seal.number, place: null, sentence: `Row ${extra} was inserted: no seal covers it.` };
  }
  const seen = new Set<string>();
  const twice = rows.find(({ id }) => seen.size === seen.add(id).size);
  if (!twice) return null;
  return {
    kind: "inserted",
    id: twice.id,
    seal: seal.number,
    place: null,
    sentence: `Row ${twice.id} stands there twice: one was inserted.`,
  };
}

/** Tells a row that took the id of another one: both contents stand, exchanged. */
function swapped(row: FoundRow, leaf: Leaf, seal: StoredSeal, broken: (kind: Break["kind"], sentence: string) => Break): Break | null {
  const other = seal.leaves.find(
    ({ id, salt, digest, state }) =>
      state === leafStates.present && id !== leaf.id && digestOf({ ...row, fields: row.fields.replace(leaf.id, id) }, salt).equals(digest),
  );
  return other ? broken("reordered", `Rows ${leaf.id} and ${other.id} were exchanged.`) : null;
}

function fits(row: RowText, leaf: Leaf): boolean {
  if (leaf.state !== leafStates.erased) return digestOf(row, leaf.salt).equals(leaf.digest);
  const digest = erasedDigest(row.payload);
  return digest !== null && leafDigest(row.fields, digest).equals(leaf.digest);
}

/** Returns the digest that an erased payload left behind; null when the payload stands. */
export function erasedDigest(payload: string): Buffer | null {
  const digest = (JSON.parse(payload) as { data: { erased?: { digest?: unknown } } | null }).data?.erased?.digest;
  return typeof digest === "string" ? Buffer.from(digest, "hex") : null;
}

/** The time of a row, read from its text, because its form is fixed and there is one for every row. */
const timeOf = ({ fields }: RowText): number => Number(/"at" : (-?\d+)/.exec(fields)?.[1]);

/** The times between which no row of a seal needs a reason. */
const usualTimes = (seal: StoredSeal, last: StoredSeal | null) => ({
  earliest: last ? Date.parse(last.through) - lateMs : Number.NEGATIVE_INFINITY,
  latest: Date.parse(seal.sealedAt) + earlyMs,
});

/** Says why the time of a row cannot be its own; null when it can. */
function timeFault(row: RowText, seal: StoredSeal, last: StoredSeal | null): string | null {
  const { fields } = row;
  const at = timeOf(row);
  const isMoved = !fields.endsWith('"movedAt" : null}');
  const iso = new Date(at).toISOString();
  if (at > Date.parse(seal.sealedAt) + earlyMs) return `its time ${iso} is after its seal of ${seal.sealedAt}`;
  if (last && !isMoved && at < Date.parse(last.through) - lateMs)
    return `its time ${iso} is before ${last.through}, which was sealed already`;
  return null;
}

function noteRecord({ id, fields, payload }: FoundRow, recorded: Map<string, Recorded>): void {
  if (!fields.includes('"audit.')) return;
  if (!recordEvents.has((JSON.parse(fields) as { event: string }).event)) return;
  const { data } = JSON.parse(payload) as { data: Partial<Recorded> | null };
  const left = data?.left === undefined ? {} : { left: String(data.left) };
  recorded.set(id, { rows: Number(data?.rows), root: String(data?.root), ...left });
}

function tally(seal: StoredSeal, rows: readonly FoundRow[], roots: Map<string, Gone>, counts: Counts): void {
  const leaves = seal.leaves.filter(({ state }) => state !== leafStates.present);
  if (leaves.length === 0) return;
  const payloads = new Map(rows.map(({ id, payload }) => [id, payload]));
  const digests = new Map<string, Buffer[]>();
  for (const { state, id, salt, digest } of leaves) {
    const record = salt.toString("hex");
    const gone = roots.get(record) ?? { rows: 0, roots: [], left: [] };
    roots.set(record, gone);
    gone.rows += 1;
    digests.set(record, [...(digests.get(record) ?? []), digest]);
    if (state === leafStates.removed) counts.removed += 1;
    else {
      counts.erased += 1;
      gone.left.push(sha256(payloads.get(id) ?? ""));
    }
  }
  for (const [record, ofSeal] of digests) roots.get(record)?.roots.push(merkleRoot(ofSeal));
}

/** Returns the root that a record of an erasure names over the digests of what it left, in the order of the audit. */
export const leftRoot = (digests: readonly Buffer[]): string => merkleRoot(digests).toString("hex");

/** Returns the root that a record names: over the roots of what went of each seal, in the order of the seals. */
export const recordRoot = (rootsOfSeals: readonly Buffer[]): string => merkleRoot(rootsOfSeals).toString("hex");

function checkRecords(roots: ReadonlyMap<string, Gone>, recorded: ReadonlyMap<string, Recorded>): Break | null {
  const byHex = new Map([...recorded].map(([id, record]) => [id.replaceAll("-", ""), { id, ...record }]));
  for (const [hex, gone] of roots) {
    const record = byHex.get(hex);
    const sentence = recordFault(gone, record);
    if (sentence) return { kind: "record", id: record?.id ?? null, seal: null, place: null, sentence };
  }
  for (const [hex, { id, rows }] of byHex) {
    if (roots.has(hex) || rows === 0) continue;
    const sentence = `Row ${id} records that ${rows} rows went, and none is marked as gone with it.`;
    return { kind: "record", id, seal: null, place: null, sentence };
  }
  return null;
}

/** Says why what is marked as gone is not what its record names; null when it is. */
function recordFault({ rows, roots, left }: Gone, record: (Recorded & { id: string }) | undefined): string | null {
  if (!record) return `${rows} rows are marked as removed or erased, and no row records it.`;
  if (record.rows !== rows || record.root !== recordRoot(roots))
    return `Row ${record.id} records that ${record.rows} rows went, and ${rows} others are marked as gone with it.`;
  if (record.left === undefined || record.left === leftRoot(left)) return null;
  return `A row that was erased with the record ${record.id} was changed since.`;
}
