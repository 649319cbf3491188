import { z } from "zod";
import { Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

const count = z.number().int();

export const auditBreakKinds = [
  "changed",
  "removed",
  "inserted",
  "reordered",
  "seal",
  "signature",
  "checkpoint",
  "record",
  "archive",
] as const;

export const AuditBreak = z
  .object({
    kind: z
      .enum(auditBreakKinds)
      .describe(
        "What happened to a row, or the part of the proof that is broken: a seal, a signature, a checkpoint, the record of a removal, the file of an archive.",
      ),
    id: Id.nullable().describe("The row; null where a seal, a signature, a checkpoint or an archive is broken."),
    seal: count.nullable().describe("Number of the seal."),
    place: count.nullable().describe("Place of the row in the workspace's audit, from 1; null for a row that no seal covers."),
    sentence: z.string(),
  })
  .meta({ id: "AuditBreak" });
export type AuditBreak = z.infer<typeof AuditBreak>;

/** One line of `GET /audit/verify`. */
export const AuditVerification = z
  .object({
    ok: z.boolean().nullable().describe("Null until the check is done."),
    done: z.boolean(),
    seals: count,
    totalSeals: count,
    rows: count,
    removed: count.describe("Rows that the retention has removed; their digests are still sealed."),
    erased: count.describe("Rows whose payload was erased; their digests are still sealed."),
    unsealed: count.nullable().describe("Rows that no seal covers yet; null until the check is done, and for a part of the audit."),
    sealedThrough: Timestamp.nullable().describe("Time of the last seal that was checked."),
    publicKey: z.string().describe("The key of this installation (Ed25519, base64)."),
    brokenAt: AuditBreak.nullable().describe("The first thing that is wrong."),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.infer<typeof AuditVerification>;

const seal = {
  seal: z.string().describe("The text whose SHA-256 is the hash: workspace, number, places, root, times, hash of the seal before."),
  hash: z.string(),
  signature: z.string().describe("Ed25519 over the 32 bytes of the hash, base64."),
  publicKey: z.string().describe("Raw public key of the installation, base64."),
};

export const AuditCheckpoint = z
  .object({ id: Id, number: count, total: count.describe("Rows up to and with this seal."), createdAt: Timestamp, ...seal })
  .meta({ id: "AuditCheckpoint" });
export type AuditCheckpoint = z.infer<typeof AuditCheckpoint>;

export const AuditProof = z
  .object({
    format: z.literal("handrail-proof-1"),
    place: count,
    fields: z.string().describe("Text of the row that its digest covers."),
    payload: z.string().nullable().describe("Text of actor's name, subject and data; null when it was erased."),
    salt: z.string().nullable().describe("Hexadecimal; null when the payload was erased."),
    payloadDigest: z.string().describe("SHA-256 over salt and payload."),
    path: z.array(z.object({ side: z.enum(["left", "right"]), hash: z.string() })).describe("Neighbours from the row to the root."),
    ...seal,
  })
  .meta({ id: "AuditProof" });
export type AuditProof = z.infer<typeof AuditProof>;

export const AuditState = z
  .object({
    sealedThrough: Timestamp.nullable().describe("Time of the last seal; null while there is none."),
    sealedRows: count,
    archivedRows: count.describe("Rows of closed months that lie in compressed files, where reading takes longer."),
    waitingSince: Timestamp.nullable().describe("Time of the oldest row that waits for its seal; null when none waits."),
    publicKey: z.string(),
    lastVerification: z.object({ at: Timestamp, ok: z.boolean(), rows: count, sentence: z.string().nullable() }).nullable(),
  })
  .meta({ id: "AuditState" });
export type AuditState = z.infer<typeof AuditState>;

export const auditProofEndpoints = {
  state: endpoint({
    method: "GET",
    path: "/api/v1/audit/state",
    summary: "How far the audit is sealed, and how its last verification ended",
    permission: "audit:read",
    response: AuditState,
  }),
  verify: endpoint({
    method: "GET",
    path: "/api/v1/audit/verify",
    summary: "Check every sealed row; a line of JSON every 2,000 rows, the last with `done` and `ok`",
    permission: "audit:read",
    query: z.object({
      from: Timestamp.optional().describe("Only seals with rows from this time on."),
      to: Timestamp.optional().describe("Only seals with rows before this time."),
    }),
    responseType: "application/x-ndjson",
  }),
  exportSealed: endpoint({
    method: "GET",
    path: "/api/v1/audit/sealed-export",
    summary: "Every seal with its rows as NDJSON, for a check without this server (`npm run audit:verify`)",
    permission: "audit:read",
    responseType: "application/x-ndjson",
  }),
  checkpoints: endpoint({
    method: "GET",
    path: "/api/v1/audit/checkpoints",
    summary: "The seal at the end of each day, newest first",
    permission: "audit:read",
    query: z.object(pageQuery),
    response: listOf(AuditCheckpoint),
  }),
  proof: endpoint({
    method: "GET",
    path: "/api/v1/audit/{id}/proof",
    summary: "Proof that one row is in the sealed audit",
    permission: "audit:read",
    params: z.object({ id: Id }),
    response: AuditProof,
  }),
};

export const auditProofContract = defineContract({
  reference: { name: "Proof of the audit", description: "Seals over the audit: what an outsider can check." },
  glossary: {
    seal: "A signed hash over the next rows of the audit, chained to the seal before it.",
    "checkpoint (of the audit)": "The last seal of a day, kept outside of the database: it proves every row before it.",
    "inclusion proof": "A small file that shows that one row is in the sealed audit.",
  },
  endpoints: auditProofEndpoints,
  events: {
    "audit.checkpointed": {
      label: "Audit checkpoint",
      explanation: "Once a day, the last seal of the audit. Kept elsewhere, it proves every row before it.",
    },
  },
});
