import type { Json, JsonObject } from "@/contracts/common";

const maxChars = 160;
/** Arguments that usually name the call's object, the most useful first. */
const telling = ["command", "path", "url", "query", "code", "task", "to", "name", "id"];

/** Summarizes a call's arguments in one line: its main text, else its JSON; null for events without arguments. */
export function argumentsSummary({ arguments: args }: JsonObject): string | null {
  if (args === undefined || args === null) return null;
  const text = oneLine(tellingText(args) ?? (typeof args === "string" ? args : JSON.stringify(args)));
  if (text === "" || text === "{}") return null;
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

function tellingText(args: Json): string | null {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return null;
  for (const name of telling) {
    const value = args[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  const [only, ...others] = Object.values(args);
  return typeof only === "string" && others.length === 0 ? only : null;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
