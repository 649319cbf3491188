import type { Tone } from "@/components/ui/tone";
import type { AuditEvent, AuditEventName } from "@/contracts/audit";
import type { Json } from "@/contracts/common";

const properNouns: Record<string, string> = { api_key: "API key", mcp_server: "MCP server", guard_config: "Guard", guard_rule: "Rule" };

/** An event's name as people say it: "Call succeeded", "MCP server tier changed". */
export function eventWords(event: AuditEventName): string {
  const [noun = "", verb = ""] = event.split(".");
  const words = `${properNouns[noun] ?? noun.replaceAll("_", " ")} ${verb.replaceAll("_", " ")}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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

/** What colour an event has, where it is an outcome; null for a plain change. */
export function eventTone(event: AuditEventName): Tone | null {
  return tones[event.split(".")[1] ?? ""] ?? null;
}

/** What an event is about, as people know it: the tool, the name that it has or had, else what the row says. */
export function subjectOf({ tool, subject, data }: Pick<AuditEvent, "tool" | "subject" | "data">): string {
  return tool ?? nameIn(data.new) ?? nameIn(data.old) ?? nameIn(data) ?? subject ?? "";
}

function nameIn(value: Json | undefined): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const name = value.name ?? value.alias ?? value.agent;
  return typeof name === "string" && name !== "" ? name : null;
}
