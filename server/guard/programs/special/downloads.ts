import { expandBraces } from "../../script/expand-braces";
import { type ShellWord, unknownPiece } from "../../script/words";
import { findOptionValues, isGiven } from "../given-options";
import { connects, type EffectSink, elevates, uploads, writesUnknown } from "../program";

const readingMethod = /^(?:GET|HEAD|OPTIONS)$/i;
const reachesDaemon = elevates("shell.container_escape", "speaks to the daemon that starts containers");

/** Expands `{a,b}` and `[1-9]` in a URL, because curl does. */
function urlsOf(word: ShellWord, isPlain: boolean): ShellWord[] {
  if (isPlain || !/[{[]/.test(word.value)) return [word];
  const ranged = word.value.replace(/\[(?:\w+-\w+)(?::\d+)?\]/g, unknownPiece);
  return [...new Set(expandBraces(ranged))].map((value) => ({ ...word, value }));
}

/** Returns the file in curl's data: `-d @file`, `--data-urlencode name@file`, `-F name=@file;type=text/plain`. */
function fileIn(name: string, value: string): string | undefined {
  if (value.startsWith(unknownPiece)) return unknownPiece;
  if (name === "--data-urlencode") return /^[^=@]*@(.+)$/s.exec(value)?.[1];
  if (name === "-F" || name === "--form") return /^[^=]*=[@<]"?([^;",]+)/.exec(value)?.[1];
  return /^@(.+)$/s.exec(value)?.[1];
}

export function transfers(act: EffectSink): void {
  const { parsed, role, does, command } = act;
  const { options } = parsed;
  let sends = false;
  for (const { name, value } of options) {
    if (!value) continue;
    if (/^(?:-d|--data(?:-(?:ascii|binary|raw|urlencode))?|--json|-F|--form|--form-string)$/.test(name)) {
      sends = true;
      const file = /raw|string/.test(name) ? undefined : fileIn(name, value.value);
      if (file === undefined) continue;
      role("reads", { ...value, value: file });
      does(uploads, value);
    } else if (name === "-T" || name === "--upload-file") {
      sends = true;
      role("reads", value);
      does(uploads, value);
    } else if (/^(?:-H|--header|-w|--write-out|--proxy-header|--variable|--url)$/.test(name)) {
      const file = fileIn("", value.value.replace(/^\w+(?=@)/, ""));
      if (file !== undefined && !/^--url$/.test(name)) role("reads", { ...value, value: file });
      if (/^(?:-w|--write-out)$/.test(name) && value.value.includes("%output{")) does(writesUnknown, value);
    } else if ((name === "-b" || name === "--cookie") && !value.value.includes("=")) role("reads", value);
    else if (name === "--resolve") {
      for (const address of value.value.replace(/^\+?[^:]*:[^:]*:/, "").split(",")) role("host", { ...value, value: address });
    } else if (name === "--connect-to") role("host", { ...value, value: value.value.split(":").slice(2).join(":") || "localhost" });
    else if (name === "--unix-socket" || name === "--abstract-unix-socket") {
      role("changes", value);
      if (/(?:docker|containerd|podman|crio)[\w.]*\.sock/.test(value.value)) does(reachesDaemon, value);
    }
  }
  const method = findOptionValues(parsed, "-X --request").at(-1)?.value;
  const isSending = method === undefined ? sends && !isGiven(parsed, "-G --get -I --head") : !readingMethod.test(method) || sends;
  for (const word of [...parsed.operands, ...findOptionValues(parsed, "--url")]) {
    for (const url of urlsOf(word, isGiven(parsed, "-g --globoff"))) role(isSending ? "url_send" : "url", url);
  }
  const [name] = command.words;
  if (isGiven(parsed, "-O --remote-name --remote-name-all -J")) role("writes", { ...name, value: ".", certainty: "literal" });
}

export function fetches({ parsed, role, does, command }: EffectSink): void {
  const method = findOptionValues(parsed, "--method").at(-1)?.value;
  const isSending =
    isGiven(parsed, "--post-data --post-file --body-data --body-file") || (method !== undefined && !readingMethod.test(method));
  for (const url of parsed.operands) role(isSending ? "url_send" : "url", url);
  const [name] = command.words;
  const toOutput = isGiven(parsed, "--spider") || findOptionValues(parsed, "-O --output-document").length > 0;
  if (parsed.operands.length > 0 && !toOutput) role("writes", { ...name, value: ".", certainty: "literal" });
  if (isGiven(parsed, "-i --input-file")) does(connects);
}
