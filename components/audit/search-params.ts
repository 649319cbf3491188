import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { AuditFilter } from "@/contracts/audit";
import { verdicts } from "@/contracts/decision";

/** What the address of the page may say; read by the server page and the browser alike. */
export const auditSearch = {
  query: parseAsString,
  event: parseAsString,
  tool: parseAsString,
  verdict: parseAsStringLiteral(verdicts),
  actor: parseAsString,
  conversation: parseAsString,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export type AuditSearch = {
  query: string | null;
  event: string | null;
  tool: string | null;
  verdict: (typeof verdicts)[number] | null;
  actor: string | null;
  conversation: string | null;
  from: Date | null;
  to: Date | null;
};

/** The filter that an address stands for; parts that cannot be one are left out. */
export function filterOf({ conversation, from, to, ...search }: AuditSearch): AuditFilter {
  const wanted = { ...search, conversationId: conversation, from: from?.toISOString() ?? null, to: to?.toISOString() ?? null };
  const filter: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value === null || value === "") continue;
    if (AuditFilter.safeParse({ [name]: value }).success) filter[name] = value;
  }
  return AuditFilter.parse(filter);
}
