import type { severities } from "@/contracts/decisions/decision";
import type { SkillFinding } from "@/contracts/skills/skills";
import { inspectText } from "@/server/tools/definitions/inspect-definition";
import { readManifest } from "../format/manifest";
import { mainFile } from "../format/skill-paths";
import { type Files, textOf } from "../packages/package-files";
import { scriptChecks } from "./script-checks";
import { interpreterOf } from "./script-kinds";

type Severity = (typeof severities)[number];

const maxFindings = 100;
const maxPerFile = 40;
const maxScanned = 400_000;
/** Longest text that one check reads; longer lines and paragraphs are read in pieces that overlap. */
const pieceChars = { line: 2_000, paragraph: 12_000, overlap: 500 };
const maxExcerpt = 160;
const order: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** Instructions in a skill are what it is for; these are aimed at the agent itself. */
const alwaysCritical: ReadonlySet<string> = new Set([
  "It tells the model to drop its instructions.",
  "It takes data to another place.",
  "It takes secrets or the conversation to another place.",
]);

/**
 * Scans the files of a skill: hidden characters, instructions against the agent, dangerous lines of scripts, programs that
 * nobody can read, addresses, and dangerous tools that the skill does not declare. Worst findings first.
 * @param dangerousTools names of tools that a skill has to declare when it speaks of them
 */
export function scanSkill(files: Files, dangerousTools: readonly string[] = []): SkillFinding[] {
  const findings: SkillFinding[] = [];
  for (const [file, bytes] of [...files].sort(([one], [other]) =>
    one === mainFile ? -1 : other === mainFile ? 1 : one < other ? -1 : 1,
  )) {
    const text = textOf(bytes);
    const own = text === null ? inspectBytes(file, bytes) : inspectLines(file, text);
    findings.push(...own.slice(0, maxPerFile));
  }
  const main = files.get(mainFile);
  if (main) findings.push(...findUndeclared(textOf(main) ?? "", dangerousTools));
  return findings.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity)).slice(0, maxFindings);
}

/** Returns the worst severity of findings; null without any. */
export const worstOf = (findings: readonly Pick<SkillFinding, "severity">[]): Severity | null =>
  order.find((severity) => findings.some((finding) => finding.severity === severity)) ?? null;

function inspectLines(file: string, text: string): SkillFinding[] {
  const findings = new Map<string, SkillFinding>();
  const add = (finding: Omit<SkillFinding, "file">) => {
    const key = `${finding.line} ${finding.message}`;
    if (!findings.has(key)) findings.set(key, { file, ...finding, excerpt: finding.excerpt.slice(0, maxExcerpt).toWellFormed() });
  };
  const scanned = text.slice(0, maxScanned);
  const interpreter = interpreterOf(file, text);
  const isProgram = interpreter !== null;
  if (text.length > maxScanned) {
    // Instructions and programs need a look where the scan ends; data do not.
    const severity = isProgram || /\.(?:md|markdown|txt)$/i.test(file) ? "high" : "medium";
    const line = scanned.split("\n").length;
    add({ check: "size", severity, line, message: "It is too long to be scanned to its end. Look at it from this line on.", excerpt: "" });
  }
  for (const { line, text: paragraph } of paragraphsOf(scanned)) {
    const pieces = piecesOf(paragraph.replaceAll("\n", " "), pieceChars.paragraph);
    for (const { place: _place, ...found } of pieces.flatMap((piece) => inspectText(file, piece))) {
      const lines = paragraph.split("\n");
      // The words of one order may stand on two lines; then the paragraph's first line is named.
      const at = lines.findIndex((one) =>
        piecesOf(one, pieceChars.paragraph).some((piece) => inspectText(file, piece).some(({ message }) => message === found.message)),
      );
      const severity =
        alwaysCritical.has(found.message) || (found.check === "hidden_characters" && found.severity === "high" && file === mainFile)
          ? "critical"
          : found.severity;
      add({ ...found, severity, line: line + Math.max(at, 0) });
    }
  }
  const hosts = new Set<string>();
  const kindOf = interpreter === null ? () => "prose" as const : lineKinds(interpreter);
  scanned.split("\n").forEach((line, index) => {
    const kind = kindOf(line);
    for (const { pattern, ...found } of scriptChecks) {
      if (kind === "comment" || (kind === "prose" && found.severity !== "critical")) continue;
      const piece = piecesOf(line, pieceChars.line).find((one) => pattern.test(one));
      if (piece === undefined) continue;
      const excerpt = line.length <= maxExcerpt ? line : piece.slice(Math.max(piece.search(pattern) - 30, 0));
      const severity = kind === "code" ? found.severity : inProse(found.severity);
      add({ ...found, severity, line: index + 1, excerpt: excerpt.trim() });
    }
    for (const [address, host = ""] of line.matchAll(/https?:\/\/([A-Za-z0-9.-]{3,200})/g)) {
      if (hosts.has(host) || hosts.size >= 10) continue;
      hosts.add(host);
      add({
        check: "address",
        severity: isProgram ? "low" : "info",
        line: index + 1,
        message: `It names the host ${host}.`,
        excerpt: address,
      });
    }
  });
  return [...findings.values()].sort((one, other) => one.line - other.line);
}

/** A page that speaks of a dangerous command runs nothing. */
const inProse = (severity: Severity): Severity => (severity === "critical" ? "high" : severity);

/**
 * Tells comments of a program's language from its code. A line that begins with an asterisk may be either in JavaScript, so
 * that it counts as prose.
 */
function lineKinds(interpreter: string): (line: string) => "code" | "comment" | "prose" {
  if (interpreter !== "node") return (line) => (/^\s*#(?!!)/.test(line) ? "comment" : "code");
  return (line) => (/^\s*\/\/(?:\s|$)/.test(line) ? "comment" : /^\s*\*/.test(line) && !line.includes("*/") ? "prose" : "code");
}

function piecesOf(text: string, longest: number): string[] {
  if (text.length <= longest) return [text];
  const step = longest - pieceChars.overlap;
  return Array.from({ length: Math.ceil((text.length - pieceChars.overlap) / step) }, (_, at) =>
    text.slice(at * step, at * step + longest),
  );
}

/** Texts between empty lines, with the line on which each begins. */
function paragraphsOf(text: string): { line: number; text: string }[] {
  const paragraphs: { line: number; text: string }[] = [];
  let current: string[] = [];
  let start = 1;
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    const isFull = current.length >= 40;
    if (line.trim() !== "" && !isFull) {
      if (current.length === 0) start = index + 1;
      current.push(line);
    }
    if (current.length > 0 && (line.trim() === "" || isFull || index === lines.length - 1)) {
      paragraphs.push({ line: start, text: current.join("\n") });
      current = isFull && line.trim() !== "" ? [line] : [];
      start = index + 1;
    }
  });
  if (current.length > 0) paragraphs.push({ line: start, text: current.join("\n") });
  return paragraphs;
}

const programHeads: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46],
  [0x4d, 0x5a],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x00, 0x61, 0x73, 0x6d],
];

function inspectBytes(file: string, bytes: Uint8Array): SkillFinding[] {
  const isProgram =
    programHeads.some((head) => head.every((byte, index) => bytes[index] === byte)) ||
    /\.(?:pyc|so|dll|dylib|exe|jar|class|wasm)$/i.test(file);
  if (!isProgram) return [];
  return [
    {
      check: "program",
      severity: "high",
      file,
      line: 1,
      message: "It is a program that nobody can read.",
      excerpt: file.slice(0, maxExcerpt),
    },
  ];
}

/** Dangerous tools of which a skill speaks without declaring them in `tools` or `allowed-tools`. */
function findUndeclared(text: string, dangerousTools: readonly string[]): SkillFinding[] {
  const { requiredTools, allowedTools, body, bodyLine } = readManifest(text);
  const declared = new Set([...requiredTools, ...allowedTools].map((name) => name.replace(/\(.*$/, "")));
  const lines = body.split("\n");
  return dangerousTools
    .filter((name) => !declared.has(name))
    .flatMap((name): SkillFinding[] => {
      const at = lines.findIndex((line) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(line));
      if (at < 0) return [];
      const excerpt = (lines[at] ?? "").trim().slice(0, maxExcerpt).toWellFormed();
      return [
        {
          check: "undeclared_tool",
          severity: "medium",
          file: mainFile,
          line: bodyLine + at,
          message: `It speaks of the dangerous tool ${name} and does not declare it in tools.`,
          excerpt,
        },
      ];
    });
}
