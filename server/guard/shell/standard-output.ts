import { parse } from "unbash";

const maxChars = 4_000;

/**
 * What a command prints when that can be said without running it: `echo`, `printf`, and what decodes or only passes on
 * its input. Null for any other command.
 * @param input what stands on its standard input, where that is known
 */
export function printedText(words: readonly string[], input: string | null): string | null {
  const [name, ...args] = words;
  if (name === "echo") return printedByEcho(args);
  if (name === "printf") return printedByPrintf(args);
  if (isLookup(name, args)) return args.filter((word) => !word.startsWith("-")).join(" ");
  if (input === null) return null;
  if (name !== "cat" && name !== "tee" && input.length > maxChars) return null;
  const options = args.filter((word) => word.startsWith("-")).join(" ");
  switch (name) {
    case "cat":
    case "tee":
      return args.every((word) => word === "-" || name === "tee") ? input : null;
    case "base64":
    case "gbase64":
      return /(^|\s)(-\w*[dD]|--d)/.test(options) ? Buffer.from(input, "base64").toString("utf8") : null;
    case "xxd":
      return /-\w*r/.test(options) ? Buffer.from(input.replace(/[^0-9a-f]/gi, ""), "hex").toString("utf8") : null;
    case "rev":
      return input
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n");
    default:
      return null;
  }
}

/**
 * What a command hands on to the next one of a pipeline. Some shells decode escapes for `echo` and some leave them: where
 * that makes a difference, it is both, each on lines of its own.
 */
export function pipedText(words: readonly string[], input: string | null): string | null {
  const printed = printedText(words, input);
  const [name, ...args] = words;
  if (name !== "echo" || printed === null || !args.some((word) => word.includes("\\"))) return printed;
  const written = args.filter((word) => !/^-[nE]+$/.test(word)).join(" ");
  return /^-[nE]*e/.test(args[0] ?? "") || written === printed ? printed : `${printed}\n${written}`;
}

/** Whether a command says where the programs or files are that it is given: for what runs then, their names are enough. */
function isLookup(name: string | undefined, args: readonly string[]): boolean {
  if (name === "command") return /^-[pvV]*[vV]/.test(args[0] ?? "");
  if (name === "type") return /^-[afpP]*[pP]/.test(args[0] ?? "");
  return name === "which" || name === "realpath" || name === "readlink";
}

function printedByEcho(args: readonly string[]): string {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(word));
  return decodeEscapes((first < 0 ? [] : args.slice(first)).join(" "));
}

function printedByPrintf(args: readonly string[]): string {
  const [format = "", ...values] = args[0] === "--" ? args.slice(1) : args;
  let used = 0;
  const filled = decodeEscapes(format).replace(/%[\d.-]*[sbqdc]/g, (place) => {
    const value = values[used++] ?? "";
    return place.endsWith("b") ? decodeEscapes(value) : value;
  });
  return [filled, ...values.slice(used)].join(" ");
}

/** Escapes as echo and printf know them, decoded the way `$'...'` is: between quotes, which are no escapes for them. */
function decodeEscapes(text: string): string {
  if (!text.includes("\\") || text.length > maxChars) return text;
  return text
    .split("'")
    .map((piece) => {
      // A backslash at the end stands for itself.
      const [statement] = parse(`$'${piece.replace(/(?<!\\)((?:\\\\)*)\\$/, "$1\\\\")}'`).commands;
      return statement?.command.type === "Command" ? (statement.command.name?.value ?? piece) : piece;
    })
    .join("'");
}
