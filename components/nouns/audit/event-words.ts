import type { Tone } from "@/components/kit/ui/tone";
import type { AuditEvent, AuditEventName } from "@/contracts/audit/audit";
import type { Json } from "@/contracts/common";
import { auditEventWords } from "@/contracts/generated";

/**
 * Returns the words for an event: "Call succeeded", "MCP server tier changed". Derives them from the name for events of
 * a newer replica.
 */
export function eventWords(event: string): string {
  if (isKnown(event)) return auditEventWords[event];
  const words = event.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const isKnown = (event: string): event is AuditEventName => Object.hasOwn(auditEventWords, event);

const tones: Partial<Record<string, Tone>> = {
  succeeded: "allow",
  approved: "allow",
  failed: "deny",
  denied: "deny",
  rejected: "deny",
  timed_out: "deny",
  interrupted: "deny",
  sign_in_failed: "deny",
  requested: "ask",
  expired: "unavailable",
  cancelled: "unavailable",
  voided: "unavailable",
};

/** Returns the colour of an outcome event; null for a plain change. */
export function eventTone(event: string): Tone | null {
  return tones[event.split(".")[1] ?? ""] ?? null;
}

/**
 * Returns the subject of an event as people know it: the tool, the name that the event recorded, the name of today, what the
 * event recorded instead of a name, else the row's subject.
 */
export function eventSubject({ tool, subject, subjectName, data }: Pick<AuditEvent, "tool" | "subject" | "subjectName" | "data">): string {
  const recorded = nameIn(data.new) ?? nameIn(data.old) ?? nameIn(data);
  return tool ?? recorded ?? subjectName ?? textIn(data, insteadOfName) ?? subject ?? "";
}

/** Keys of recorded data that say what an event is about, when it has no name. */
const insteadOfName = ["schedule", "watch", "content", "agent"] as const;

const nameIn = (value: Json | undefined): string | null => textIn(value, ["name", "alias", "title"]);

/** Returns the first text with words under one of the keys. */
function textIn(value: Json | undefined, keys: readonly string[]): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const found = keys.map((key) => value[key]).find((text) => typeof text === "string" && text !== "");
  return typeof found === "string" ? found : null;
}
