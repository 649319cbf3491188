import type { McpCure } from "@/contracts/mcp/mcp-servers";
import type { ServerSettings } from "../settings/server-settings";

/** A cure of a server's row. `ofStart`: of a failed start, so that a start that succeeds has no need of it. */
export type KeptCure = McpCure & { ofStart?: true };

/** A person reads them as buttons of one row. */
const maxCures = 8;

type Openings = Pick<ServerSettings, "allowedHosts" | "readablePaths" | "outsideSandbox">;

/** Adds what a call or the end of a program lacked to what the row has, newest first. */
export function addCures(kept: readonly KeptCure[], found: readonly McpCure[]): KeptCure[] {
  return distinct([...found, ...kept]);
}

/** Replaces what the last failed start lacked, and keeps what calls lacked. */
export function replaceStartCures(kept: readonly KeptCure[], found: readonly McpCure[]): KeptCure[] {
  return distinct([...found.map((cure) => ({ ...cure, ofStart: true as const })), ...ofCalls(kept)]);
}

/** Drops what the settings allow by now. */
export function lackingCures(kept: readonly KeptCure[], settings: Openings): KeptCure[] {
  return kept.filter((cure) => !isAllowed(cure, settings));
}

/** Keeps what calls lack still, once a server is connected. */
export function curesAfterStart(kept: readonly KeptCure[], settings: Openings): KeptCure[] {
  return lackingCures(ofCalls(kept), settings);
}

const ofCalls = (kept: readonly KeptCure[]) => kept.filter(({ ofStart }) => !ofStart);

function distinct(cures: readonly KeptCure[]): KeptCure[] {
  const byOpening = new Map<string, KeptCure>();
  for (const cure of cures) if (!byOpening.has(openingOf(cure))) byOpening.set(openingOf(cure), cure);
  return [...byOpening.values()].slice(0, maxCures);
}

/** The opening that a cure offers, whoever names it. */
export function openingOf(cure: McpCure): string {
  if (cure.kind === "read") return `read ${cure.path}`;
  return cure.kind === "reach" ? `reach ${cure.host}` : "outside";
}

function isAllowed(cure: McpCure, { allowedHosts, readablePaths = [], outsideSandbox }: Openings): boolean {
  if (outsideSandbox) return true;
  if (cure.kind === "read") return readablePaths.includes(cure.path);
  return cure.kind === "reach" && allowedHosts.includes(cure.host);
}
