import type { ShellWord } from "../script/words";
import { isGiven } from "./given-options";
import { type EffectSink, type FixedEffect, loadsCode, type Program, program, runsAnother, runsFolderCode } from "./program";

const readsSomewhere: FixedEffect = { kind: "read", target: { where: "not_known" } };
const writesFolder: FixedEffect = { kind: "write", target: { where: "inside", path: "." } };
const runsIt = { role: "text", does: [runsAnother] } as const;
const as = (word: ShellWord, value: string): ShellWord => ({ ...word, value });

/** Options of ffmpeg without a value; every other option takes the next word. */
const ffmpegFlags =
  /^-(?:y|n|hide_banner|nostdin|stats|nostats|an|vn|sn|dn|shortest|re|version|h|formats|codecs|encoders|decoders|filters|copyts|start_at_zero|accurate_seek|benchmark|ignore_unknown|L|protocols|pix_fmts|devices|buildconf)$/;

/** Adds the files of `ffmpeg -i in.mp4 -vf scale=1:2 out.mp4`; options belong to the next file. */
function converts({ command, role, does }: EffectSink): void {
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
      if (/^(?:subfile|concatf|hls|data|lavfi)|movie=/.test(given.value)) does(readsSomewhere, given);
    } else if (/script|^-(?:attach|dump_attachment)|^-\/|^-key/.test(value)) role("reads", given);
    else if (/^-(?:report|progress|vstats_file|passlogfile)$/.test(value)) role("writes", given);
    else if (/\b(?:a?movie|subtitles|ass|lut3d|drawtext)=|textfile|fontfile/.test(given.value)) does(readsSomewhere, given);
  }
}

/** Adds the files of `convert a.png -resize 50% b.png`: the last word is written, others with a dot or a slash are read. */
function drawsImages(act: EffectSink): void {
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
function tagsFiles({ parsed, role, does }: EffectSink): void {
  const isChanging =
    parsed.options.some(({ word }) => word.value.includes("=")) || isGiven(parsed, "-overwrite_original -delete_original -tagsFromFile");
  for (const word of parsed.operands) role(isChanging ? "changes" : "reads", word, isGiven(parsed, "-r -recurse"));
  if (isGiven(parsed, "-w -o")) does(writesFolder);
}

/** Programs that inspect and convert documents, images and sound. */
export const documentPrograms: readonly Program[] = [
  program("ffmpeg ffplay", { special: converts }),
  program("ffprobe mediainfo sox soxi", {
    operands: ["remote_read"],
    wordOptions: true,
    valued: {
      "-i": "remote_read",
      "-o": "writes",
      "-v -show_entries -of -print_format -select_streams -loglevel -f -read_intervals --Output": "text",
    },
  }),
  program("convert magick mogrify identify montage composite compare display", {
    wordOptions: true,
    special: drawsImages,
    valued: {
      "-write -path": "writes",
      "-font -mask -read-mask -tile -texture -profile -map -remap": "reads",
      "-script -process": runsIt,
      "-resize -crop -quality -density -geometry -gravity -background -fill -stroke -pointsize -annotate -draw -format -depth -colors -colorspace -rotate -blur -sharpen -extent -thumbnail -scale -size -border -bordercolor -type -level -threshold -fuzz -transparent -delay -loop -dispose -compress -define -set -limit -alpha -channel -compose -interlace -sampling-factor -units -page -splice -shave -modulate -evaluate -metric -strokewidth -filter -append-size":
        "text",
    },
  }),
  program("exiftool", {
    wordOptions: true,
    special: tagsFiles,
    valued: {
      "-if -p -execute -api": { role: "code", does: [] },
      "-config": "executes",
      "-@": { role: "file_list", does: [runsAnother] },
      "-stay_open": runsIt,
      "-o -w -W -tagOut": "writes",
      "-tagsFromFile -csv -json": "reads",
      "-d -ext -i -x -charset -lang -c -g": "text",
    },
    flags: { "-json -csv -g": [] },
  }),
  program("pdftotext pdftohtml pdftoppm pdftocairo pdfimages ps2pdf pdf2svg", {
    operands: ["reads", "writes"],
    wordOptions: true,
    valued: { "-f -l -r -x -y -W -H -enc -opw -upw -scale-to -scale-to-x -scale-to-y": "text" },
  }),
  program("pdfinfo pdffonts pdfdetach", {
    operands: ["reads"],
    wordOptions: true,
    valued: { "-f -l -opw -upw -save": "text", "-o": "writes" },
  }),
  program("pdfunite pdfseparate pdftk qpdf img2pdf", {
    operands: ["reads"],
    lastOperand: "writes",
    valued: {
      "-o --output": "writes",
      "--pages --password --rotate --encrypt": "text",
      "--job-json-file": { role: "reads", does: [{ kind: "write", target: { where: "not_known" } }] },
    },
  }),
  program("tesseract", {
    operands: ["reads", "writes", "text"],
    valued: { "-l --psm --oem --dpi -c": "text", "--tessdata-dir --user-words --user-patterns": "reads" },
  }),
  program("gs ghostscript", {
    operands: ["executes"],
    wordOptions: true,
    valued: { "-c": "code", "-o": "writes", "-f": "executes" },
    special: ({ command, role }) => {
      for (const word of command.words.slice(1)) {
        const [, file] = /^-(?:sOutputFile=|o)(.+)$/.exec(word.value) ?? [];
        if (file !== undefined) role("writes", as(word, file));
      }
    },
  }),
  program("libreoffice soffice unoconv", {
    operands: ["reads"],
    does: [writesFolder],
    wordOptions: true,
    valued: { "--outdir -outdir -o": "writes", "--convert-to --infilter -f": "text", "--script-cat --cat": "reads", "--accept": runsIt },
    special: runsMacros,
  }),
  program("jupyter ipython papermill", {
    operands: ["reads"],
    does: [runsFolderCode, writesFolder],
    valued: { "--output --output-dir": "writes", "--to --port --ip -c --kernel": "text" },
  }),
  program("wkhtmltopdf wkhtmltoimage weasyprint", {
    operands: ["remote_read"],
    lastOperand: "writes",
    valued: {
      "--page-size -s -O --orientation -T -B -L -R --margin-top --margin-bottom --margin-left --margin-right --javascript-delay --zoom --dpi --encoding":
        "text",
      "--user-style-sheet --header-html --footer-html": "remote_read",
      "--proxy -p": "url",
      "--post-file": "reads",
      "--run-script": runsIt,
    },
  }),
  program("gnuplot dot neato mmdc plantuml", {
    operands: ["executes"],
    valued: { "-e": "code", "-o --output": "writes", "-T -K -G -N -E -t -b -w -H -s": "text", "-i --input -c --configFile -p": "reads" },
    flags: { "-l": [loadsCode] },
  }),
  program("pdflatex latex xelatex lualatex latexmk tectonic tex", {
    operands: ["reads"],
    wordOptions: true,
    does: [writesFolder, runsFolderCode],
    valued: { "-output-directory -outdir -jobname": "writes", "-e -pdflatex -latex": runsIt, "-interaction": "text" },
    flags: { "-shell-escape -enable-write18": [runsAnother] },
  }),
];

function runsMacros({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) if (/^(?:macro|vnd\.sun\.star)/i.test(word.value)) does(runsAnother, word);
}
