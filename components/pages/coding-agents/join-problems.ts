import { clientWords } from "@/components/nouns/coding-agents/client-words";
import type { CodingSession } from "@/contracts/agents/coding-agents";

export type Problems = { key: string; where: string; what: readonly string[] };

type Session = Pick<CodingSession, "client" | "host" | "folder" | "problems" | "bypassed">;

/** Joins the sessions of a client on one machine that have the same problems, because their cause is one. */
export function joinProblems(sessions: readonly Session[]): Problems[] {
  const byCause = new Map<string, Session[]>();
  for (const session of sessions) {
    const { client, host, problems } = session;
    const cause = JSON.stringify([client, host, problems]);
    if (problems.length > 0) byCause.set(cause, [...(byCause.get(cause) ?? []), session]);
  }
  return [...byCause].map(([key, alike]) => ({ key, where: placeOf(alike), what: alike[0]?.problems ?? [] }));
}

function placeOf(alike: readonly Session[]): string {
  const [first] = alike;
  if (!first) return "";
  const folders = new Set(alike.map(({ folder }) => folder));
  const place = folders.size === 1 ? `in ${first.folder}` : `in ${folders.size} folders`;
  const ran = alike.reduce((sum, { bypassed }) => sum + bypassed, 0);
  return [
    `${clientWords[first.client]} ${place}${first.host ? ` on ${first.host}` : ""}`,
    ...(alike.length === 1 ? [] : [`${alike.length} sessions`]),
    ...(ran === 0 ? [] : [`${ran} ${ran === 1 ? "call" : "calls"}`]),
  ].join(", ");
}
