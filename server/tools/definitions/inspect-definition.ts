import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ToolFinding } from "@/contracts/tools/tool-findings";
import { decodePayloads } from "./decode-payloads";
import { describeHidden, findHiddenCharacters, revealHiddenCharacters } from "./hidden-characters";
import { isMentioned } from "./mentioned";
import { runnable, textChecks } from "./text-checks";

/** A definition as its server sent it. */
export type InspectedDefinition = {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema?: unknown;
  outputSchema?: unknown;
};

const maxTextCharacters = 16_000;
const maxFindings = 20;
const maxStrings = 2_000;
const excerptCharacters = 160;

/** Recognises signs of poisoning in a tool's name, title, description and schema: hidden characters, instructions, payloads. */
export function inspectDefinition({ name, title, description, inputSchema, outputSchema }: InspectedDefinition): ToolFinding[] {
  const findings = new Map<string, ToolFinding>();
  const add = (finding: ToolFinding) => {
    const key = `${finding.check} ${finding.place} ${finding.message}`;
    if (findings.size >= maxFindings || findings.has(key)) return;
    // Cutting may leave half of a surrogate pair, which Postgres cannot store.
    findings.set(key, { ...finding, place: finding.place.toWellFormed(), excerpt: finding.excerpt.toWellFormed() });
  };
  const texts: [string, string][] = [
    ["name", name],
    ["title", title ?? ""],
    ["description", description ?? ""],
    ...(isJsonObject(inputSchema) ? stringsIn("schema", inputSchema) : []),
    ...(isJsonObject(outputSchema) ? stringsIn("output schema", outputSchema) : []),
  ];
  for (const [place, text] of texts) for (const finding of inspectText(place, text)) add(finding);
  return [...findings.values()];
}

/** Recognises signs of poisoning in one text. */
export function inspectText(place: string, text: string): ToolFinding[] {
  const findings: ToolFinding[] = [];
  const read = text.slice(0, maxTextCharacters);
  const hidden = findHiddenCharacters(read);
  if (hidden.size > 0) {
    const message = `It holds characters that nobody sees: ${describeHidden(hidden)}.`;
    const excerpt = revealHiddenCharacters(read.slice(0, excerptCharacters * 4)).slice(0, excerptCharacters);
    findings.push({ check: "hidden_characters", severity: isSmuggling(hidden) ? "critical" : "high", place, message, excerpt });
  }
  for (const sentence of sentencesOf(read)) {
    for (const { pattern, mayBeMentioned, ...check } of textChecks) {
      const found = pattern.exec(sentence);
      if (found && !(mayBeMentioned && isMentioned(sentence, found.index, found[0].length))) {
        findings.push({ ...check, place, excerpt: excerptAt(sentence, found.index) });
      }
    }
  }
  for (const payload of decodePayloads(read)) {
    if (!runnable.test(payload) && !textChecks.some(({ pattern }) => pattern.test(payload))) continue;
    const message = "It holds an encoded command or instruction.";
    findings.push({ check: "encoded_payload", severity: "critical", place, message, excerpt: payload.slice(0, excerptCharacters) });
  }
  return findings;
}

/** Tag characters spell a whole text that only a model reads. */
const isSmuggling = (hidden: ReadonlyMap<string, number>): boolean => [...hidden.keys()].some((name) => name.startsWith("U+E00"));

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n{2,}/u).filter((sentence) => sentence !== "");
}

function excerptAt(sentence: string, index: number): string {
  const start = Math.max(0, index - 30);
  return revealHiddenCharacters(sentence.slice(start, start + excerptCharacters)).trim();
}

/** Returns every text of a schema with its place: keys, descriptions, enums, defaults. */
function stringsIn(root: string, schema: JsonObject): [string, string][] {
  const found: [string, string][] = [];
  const open: [string, unknown][] = [[root, schema]];
  while (open.length > 0 && found.length < maxStrings) {
    const [place, value] = open.pop() ?? ["", null];
    if (typeof value === "string") found.push([place, value]);
    else if (Array.isArray(value)) open.push(...value.map((member, index): [string, unknown] => [`${place}/${index}`, member]));
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const inside = `${place}/${revealHiddenCharacters(key.slice(0, 60))}`.slice(0, 300);
        found.push([inside, key]);
        open.push([inside, member]);
      }
    }
  }
  return found;
}
