/** Programs that take a file's name with a bar before or behind it for a command to talk to. */
export const opensPipes =
  "perl sox play rec convert magick identify mogrify composite montage import display animate conjure compare stream dvips enscript a2ps gs ghostscript gnuplot exiftool tshark mpg123".split(
    " ",
  );
const pipeAsFile = /^(?:--?\w[\w-]*=?|\w+:)?\s*\|\s*[\w./~$]|^(?:-o)?!\s*[\w./~$]|^[^-\s][^{;(]*\|\s*$|%pipe%/;

/** The argument that is a command with a bar; null when none is. */
export const pipeAmong = (args: readonly string[]): string | null => args.find((word) => pipeAsFile.test(word)) ?? null;

/** Commands of database clients that hand text to a program, take one's text or start an editor. */
const clientPipe = /(?<!\|)\|(?!\|)|`/;
const clientCommand = /\\\w|^[ \t]*\.\w|^(?:-[a-zA-Z]|--\w+=)?[ \t]*\|[ \t]*\w/;
const clientProgram = /(?:^|[;\s])(?:pager\s+\S|\\[Pe]\s)|\bedit\s?\('/;

/** `\o |id`, `.once |id`, `\set x \`id\``, and the value of psql's -o. */
export function runsFromClient(text: string): boolean {
  if (clientProgram.test(text)) return true;
  if (!/[|`]/.test(text)) return false;
  return text.split("\n").some((line) => {
    const start = line.search(clientCommand);
    return start >= 0 && clientPipe.test(line.slice(start));
  });
}
