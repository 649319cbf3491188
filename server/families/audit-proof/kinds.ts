import { type SQL, sql } from "drizzle-orm";
import { auditEventNames } from "@/contracts/audit/audit";

/** Kinds of audit rows that are kept for a time of their own. */
export type AuditKind = "calls" | "configuration" | "signIns";

const callNouns = new Set(["call", "turn", "run", "approval", "job", "conversation", "coding_session", "guarded_call"]);

const signIns = auditEventNames.filter((name) => name.startsWith("user.sign"));
const calls = auditEventNames.filter((name) => callNouns.has(name.split(".", 1)[0] ?? ""));

const listed = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql`${name}`),
    sql`, `,
  );

/**
 * SQL that selects the rows of `audit_events as e` of a kind. Records of what went belong to none: a verification needs
 * them for as long as there is an audit.
 */
export const ofKind: Record<AuditKind, SQL> = {
  signIns: sql`e.event in (${listed(signIns)})`,
  calls: sql`e.event in (${listed(calls)})`,
  configuration: sql`e.event not in (${listed([...signIns, ...calls])}) and e.event not like 'audit.%'`,
};
