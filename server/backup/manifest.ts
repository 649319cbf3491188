import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { StartError } from "@/db/start-error";
import { canonicalJson, sha256 } from "@/server/platform/crypto";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Rows = z.int().nonnegative();

/** A file of the backup, relative to its folder. */
const StoredFile = z.strictObject({ file: z.string().regex(/^[\w.-]+(?:\/[\w.-]+)*$/), bytes: Rows, sha256: Sha256 });
export type StoredFile = z.infer<typeof StoredFile>;

const StoredTable = z.strictObject({
  schema: z.string().min(1),
  name: z.string().min(1),
  columns: z.array(z.string().min(1)).min(1),
  rows: Rows,
  ...StoredFile.shape,
});
export type StoredTable = z.infer<typeof StoredTable>;

const Migration = z.strictObject({ tag: z.string(), when: z.int() });
export type Migration = z.infer<typeof Migration>;

export const treeNames = ["workspaces", "mcp"] as const;
export type TreeName = (typeof treeNames)[number];

/** The contents of a backup. It is written last: a folder without it is no backup. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  /** Version of the Handrail that made the backup. */
  version: z.string().min(1),
  createdAt: z.iso.datetime(),
  migrations: z.array(Migration).min(1),
  /** Proof of the key that sealed the secrets; null in a database that has never started. */
  keyProof: z.string().nullable(),
  tables: z.array(StoredTable),
  /** Monthly partitions of the audit. */
  auditMonths: z.array(z.string().regex(/^\d{4}_(?:0[1-9]|1[0-2])$/)),
  /** SQL that makes the schema of pg-boss. */
  workSchema: StoredFile,
  /** Hashes of the artifacts and of the kept contents of files. */
  blobs: z.strictObject({ count: Rows, ...StoredFile.shape }),
  /** Blobs that the database names and the store did not have. */
  missingBlobs: z.array(Sha256),
  trees: z.array(z.strictObject({ name: z.enum(treeNames), count: Rows, ...StoredFile.shape })),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestFile = "manifest.json";

const checksumOf = (manifest: Manifest): string => sha256(canonicalJson(manifest));

export const manifestText = (manifest: Manifest): string => `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)}\n`;

/** @throws StartError when the folder is no whole backup, or one of a later Handrail */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, manifestFile);
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new StartError(
      `${folder} is no whole backup: ${manifestFile}, which a backup writes last, cannot be read. Name the folder of a backup that ended.`,
      { cause },
    );
  });
  const damaged = () => new StartError(`${file} is damaged: restore another copy of this backup.`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw damaged();
  }
  const { format } = z.looseObject({ format: z.unknown() }).catch({ format: null }).parse(content);
  if (typeof format === "number" && format > 1) {
    throw new StartError(`${folder} was made by a later Handrail (format ${format}): restore it with the version that made it.`);
  }
  const parsed = Manifest.extend({ checksum: Sha256 }).safeParse(content);
  if (!parsed.success) throw damaged();
  const { checksum, ...manifest } = parsed.data;
  if (checksumOf(manifest) !== checksum) throw damaged();
  return manifest;
}
