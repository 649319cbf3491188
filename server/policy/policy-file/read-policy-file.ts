import { createHash } from "node:crypto";
import { isNode, Lexer, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { type GuardRule, GuardRuleDraft, guardFormats } from "@/contracts/guard/guard";
import { computeDigest } from "@/server/guard/matching/compile-rule";
import { unstorablePlace } from "@/server/platform/database/storable";
import { ruleMistake } from "../rule-mistake";

/** The rules of a policy file, with their digest. */
export type PolicyFile = {
  rules: readonly GuardRule[];
  /** SHA-256 of the parsed rules, so that comments and the order of keys do not count. */
  digest: string;
};

/** A mistake in a policy file as part of a sentence, with its line and column counted from 1. */
export type PolicyFileMistake = { message: string; line: number | null; column: number | null };

const maxRules = 10_000;
const maxAliases = 100;
/** Limited, because parsing time grows with the square of the number of anchors. */
const maxAnchors = 1_000;
/** Pattern instructions of all rules together, which take a second or two to compile. */
const maxInstructions = 400_000;

const FileRule = GuardRuleDraft.extend({ id: z.string().optional().describe("Taken from an export, and of no meaning here.") });
const File = z.strictObject({
  schema: z.enum(guardFormats).optional(),
  exportedAt: z.string().optional(),
  count: z.number().optional(),
  rules: z.array(FileRule, { error: "must be a list of rules" }).max(maxRules),
});

/** Reads the text of a policy file: YAML, so JSON too. @param readAt of this reading, for the rules' times */
export function readPolicyFile(text: string, readAt: Date): { file: PolicyFile } | { mistake: PolicyFileMistake } {
  const lines = new LineCounter();
  if (hasTooManyAnchors(text)) {
    return { mistake: { message: `it has more than ${maxAnchors.toLocaleString("en")} anchors (&name)`, line: null, column: null } };
  }
  const document = parseDocument(text, { lineCounter: lines, schema: "core", prettyErrors: false, uniqueKeys: true });
  const at = (offset: number | undefined, message: string): { mistake: PolicyFileMistake } => {
    const place = offset === undefined ? null : lines.linePos(offset);
    return { mistake: { message, line: place?.line ?? null, column: place?.col ?? null } };
  };
  const [broken] = [...document.errors, ...document.warnings];
  if (broken) return at(broken.pos[0], `it is not valid YAML: ${broken.message}`);
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    return at(undefined, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  /** Returns the offset of the node at a path, or of its nearest ancestor in the document. */
  const offsetOf = (path: readonly PropertyKey[]): number | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  };
  const wrong = (path: readonly PropertyKey[], message: string) => at(offsetOf(path), `${named(path, content)}${message}`);

  const place = unstorablePlace(content);
  if (place) return wrong(place, "it must not hold a NUL character or half of a surrogate pair");

  const parsed = File.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unrecognized = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return wrong([...(issue?.path ?? []), ...unrecognized], issue?.message ?? "it is not a policy");
  }
  const names = new Set<string>();
  const room = { instructions: maxInstructions };
  for (const [index, rule] of parsed.data.rules.entries()) {
    const mistake = ruleMistake(rule, room);
    if (mistake) return wrong(["rules", index, ...mistake.path.split(".")], mistake.message);
    if (names.has(rule.name)) return wrong(["rules", index, "name"], `there are two rules named "${rule.name}"; give each its own name`);
    names.add(rule.name);
  }
  const drafts = parsed.data.rules.map(({ id: _id, ...draft }) => draft);
  return { file: { rules: drafts.map((draft) => ruleOf(draft, readAt)), digest: computeDigest(drafts) } };
}

function hasTooManyAnchors(text: string): boolean {
  // Few ampersands mean few anchors, so that most files are not lexed twice.
  if (text.split("&", maxAnchors + 2).length <= maxAnchors + 1) return false;
  let anchors = 0;
  // A token that begins with an ampersand is an anchor, because YAML forbids plain scalars that do.
  for (const token of new Lexer().lex(text)) if (token.startsWith("&")) anchors += 1;
  return anchors > maxAnchors;
}

function named(path: readonly PropertyKey[], content: unknown): string {
  const [list, index, ...fields] = path;
  if (list !== "rules" || typeof index !== "number") return path.length > 0 ? `${path.join(".")}: ` : "";
  const rule = (content as { rules: { name?: unknown }[] }).rules[index];
  const which = typeof rule?.name === "string" ? `the rule "${rule.name}"` : `rule ${index + 1}`;
  return fields.length > 0 ? `${which}, ${fields.join(".")}: ` : `${which}: `;
}

/**
 * Builds a rule from a draft. Its id is derived from the name, so that ids are equal on every replica and after every
 * restart, and approvals still find their rule. The id begins with zeros, so that among rules of equal priority the
 * rules of the file are tried first.
 */
function ruleOf(draft: GuardRuleDraft, readAt: Date): GuardRule {
  const hash = createHash("sha256").update(`rule of the policy file\0${draft.name}`).digest("hex");
  const id = `00000000-0000-8${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
  const time = readAt.toISOString();
  return { ...draft, id, source: "file", version: 1, createdAt: time, updatedAt: time };
}
