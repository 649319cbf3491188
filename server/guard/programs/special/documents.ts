import type { ShellWord } from "../../script/words";
import { isGiven } from "../given-options";
import { type EffectSink, readsUnknown, runsAnother, writesFolder } from "../program";

export const as = (word: ShellWord, value: string): ShellWord => ({ ...word, value });

/** Options of ffmpeg without a value; every other option takes the next word. */
const ffmpegFlags =
  /^-(?:y|n|hide_banner|nostdin|stats|nostats|an|vn|sn|dn|shortest|re|version|h|formats|codecs|encoders|decoders|filters|copyts|start_at_zero|accurate_seek|benchmark|ignore_unknown|L|protocols|pix_fmts|devices|buildconf)$/;

/** Adds the files of `ffmpeg -i in.mp4 -vf scale=1:2 out.mp4`; options belong to the next file. */
export function converts({ command, role, does }: EffectSink): void {
  const words = command.words.slice(1);
  let next = 0;
  for (const [at, word] of words.entries()) {
    if (at < next) continue;
    const { value } = word;
    if (!value.startsWith("-") || value === "-") {
      if (value !== "-" && !value.startsWith("pipe:")) role("remote_write", word);
      continue;
    }
    if (ffmpegFlags.test(value)) continue;
    next = at + 2;
    const given = words[at + 1];
    if (!given) break;
    if (/^-i$/.test(value)) {
      for (const part of given.value.replace(/^concat:/, "").split("|"))
        if (!/^(?:-$|pipe:|(?:test|color|anull|sine|a?movie=))/.test(part))
          role("remote_read", as(given, part.replace(/^(?:file|async|cache|crypto):/, "")));
      // A list, a playlist or a page may refer to any other file.
      if (/^(?:subfile|concatf|hls|data|lavfi)|movie=/.test(given.value)) does(readsUnknown, given);
    } else if (/script|^-(?:attach|dump_attachment)|^-\/|^-key/.test(value)) role("reads", given);
    else if (/^-(?:report|progress|vstats_file|passlogfile)$/.test(value)) role("writes", given);
    else if (/\b(?:a?movie|subtitles|ass|lut3d|drawtext)=|textfile|fontfile/.test(given.value)) does(readsUnknown, given);
  }
}

/** Adds the files of `convert a.png -resize 50% b.png`: the last word is written, others with a dot or a slash are read. */
export function drawsImages(act: EffectSink): void {
  const { parsed, command, role, does } = act;
  const changesAll = command.name === "mogrify";
  const looksOnly = /^(?:identify|display|compare)$/.test(command.name) || parsed.operands[0]?.value === "identify";
  for (const [at, word] of parsed.operands.entries()) {
    const { value } = word;
    const isLast = at === parsed.operands.length - 1 && at > 0;
    const [, format = "", file = value] = /^([a-z][\w-]*):(?!\/\/)(.*)$/is.exec(value) ?? [];
    if (/^\||^(?:msl|mvg|ephemeral|https?|ftp|x|url|script):/i.test(value)) does(runsAnother, word);
    else if (isLast && !looksOnly) role(changesAll ? "changes" : "writes", as(word, file));
    else if (changesAll) role("changes", word);
    else if (file.startsWith("@")) role("reads", as(word, file.slice(1)));
    else if (
      !/^(?:xc|canvas|gradient|pattern|plasma|label|caption|null|logo|rose|inline)$/i.test(format) &&
      /[./]/.test(file) &&
      !/^[-+\d.%x!^<>]+$/.test(file)
    )
      role("remote_read", as(word, file));
  }
}

/** Adds the effects of exiftool's options: `-Artist=x` writes, `-if` and `-p` contain Perl. */
export function tagsFiles({ parsed, role, does }: EffectSink): void {
  const isChanging =
    parsed.options.some(({ word }) => word.value.includes("=")) || isGiven(parsed, "-overwrite_original -delete_original -tagsFromFile");
  for (const word of parsed.operands) role(isChanging ? "changes" : "reads", word, isGiven(parsed, "-r -recurse"));
  if (isGiven(parsed, "-w -o")) does(writesFolder);
}

export function runsMacros({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) if (/^(?:macro|vnd\.sun\.star)/i.test(word.value)) does(runsAnother, word);
}
