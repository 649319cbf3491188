import { loadsCode, type Program, program, runsAnother, runsFolderCode, writesFolder, writesUnknown } from "../program";
import { as, converts, drawsImages, runsMacros, tagsFiles } from "../special/documents";

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
      "-script -process": runsAnother,
      "-resize -crop -quality -density -geometry -gravity -background -fill -stroke -pointsize -annotate -draw -format -depth -colors -colorspace -rotate -blur -sharpen -extent -thumbnail -scale -size -border -bordercolor -type -level -threshold -fuzz -transparent -delay -loop -dispose -compress -define -set -limit -alpha -channel -compose -interlace -sampling-factor -units -page -splice -shave -modulate -evaluate -metric -strokewidth -filter -append-size":
        "text",
    },
  }),
  program("exiftool", {
    wordOptions: true,
    special: tagsFiles,
    valued: {
      "-if -p -execute -api": "code",
      "-config": "executes",
      "-@": { role: "file_list", does: [runsAnother] },
      "-stay_open": runsAnother,
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
      "--job-json-file": { role: "reads", does: [writesUnknown] },
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
    valued: {
      "--outdir -outdir -o": "writes",
      "--convert-to --infilter -f": "text",
      "--script-cat --cat": "reads",
      "--accept": runsAnother,
    },
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
      "--run-script": runsAnother,
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
    valued: { "-output-directory -outdir -jobname": "writes", "-e -pdflatex -latex": runsAnother, "-interaction": "text" },
    flags: { "-shell-escape -enable-write18": [runsAnother] },
  }),
];
