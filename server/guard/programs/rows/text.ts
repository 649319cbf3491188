import { loadsCode, type Program, program, quietlyWrites, readsThenWrites, runsAnother, writesUnknown } from "../program";
import { computes, edits, runsInside, setsClock, setsTime } from "../special/text";

/** Filters that change text, and calculators. */
export const textPrograms: readonly Program[] = [
  program("sort gsort", {
    operands: ["reads"],
    valued: {
      "-o --output -T --temporary-directory": quietlyWrites,
      "-k --key -t --field-separator -S --buffer-size --batch-size --parallel --sort": "text",
      "--files0-from": "file_list",
      "--random-source": "reads",
      "--compress-program": runsAnother,
    },
  }),
  program("uniq guniq", { special: readsThenWrites, valued: { "-f -s -w --skip-fields --skip-chars --check-chars": "text" } }),
  program("cut", { operands: ["reads"], valued: { "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter": "text" } }),
  program("fold", { operands: ["reads"], valued: { "-w --width": "text" } }),
  // `-p` has no value for BSD.
  program("fmt", { operands: ["reads"], valued: { "-w -g --width --goal": "text", "-p --prefix": "reads" } }),
  program("expand unexpand", { operands: ["reads"], valued: { "-t --tabs": "text" } }),
  program("column", { operands: ["reads"], valued: { "-c -s -o -N -H -R -T -W --separator --output-separator --table-columns": "text" } }),
  program("pr", { operands: ["reads"], valued: { "-h -l -w -W -o -N -D --header --length --width": "text" } }),
  program("rev tsort bc", { operands: ["reads"] }),
  program("tr seq expr sleep yes cal ncal factor units", {}),
  program("dc", {
    operands: ["executes"],
    valued: { "-e --expression": "code", "-f --file": "executes" },
    runsInput: (args) => args.length === 0,
  }),
  program("shuf gshuf", {
    operands: ["reads"],
    valued: { "-o --output": quietlyWrites, "-i -n --input-range --head-count": "text", "--random-source": "reads" },
    special: () => {},
  }),
  program("numfmt", {
    valued: { "-d --delimiter --field --format --from --to --header --invalid --padding --round --suffix --from-unit --to-unit": "text" },
  }),
  program("date gdate", {
    attached: "-I",
    special: setsTime,
    valued: { "-d --date": "text", "-f --file": "reads", "-r --reference": "lists", "-s --set": setsClock },
  }),
  program("sed gsed ssed", {
    actsByOptions: true,
    special: edits,
    attached: "-i -I",
    valued: { "-e --expression -l --line-length": "text", "-f --file": "executes" },
    flags: { "--in-place": [] },
  }),
  program("awk gawk mawk nawk original-awk", {
    optionsFirst: true,
    actsByOptions: true,
    special: computes,
    attached: "-d -D -o -p -L",
    valued: {
      "-F --field-separator -e --source -i --include": "text",
      "-v --assign": "text",
      "-f --file -E --exec": "executes",
      "-l --load": loadsCode,
      "-W": runsInside,
    },
    flags: { "-d --dump-variables -o --pretty-print -p --profile -D --debug": [writesUnknown] },
  }),
  program("iconv", { operands: ["reads"], valued: { "-f -t --from-code --to-code": "text", "-o --output": "writes" } }),
  program("envsubst", { operands: ["text"] }),
  program("dos2unix unix2dos", { operands: ["changes"], valued: { "-n --newfile": "writes", "-c --convmode": "text" } }),
  program("base64 base32 basenc gbase64", {
    operands: ["reads"],
    valued: { "-w --wrap -b --break": "text", "-o --output": quietlyWrites },
  }),
  program("pandoc", {
    operands: ["remote_read"],
    valued: {
      "-o --output --extract-media": "writes",
      "-f -t -r -w --from --to --read --write -V --variable -M --metadata --toc-depth --columns --wrap --highlight-style --shift-heading-level-by":
        "text",
      "--template --metadata-file --css -c -H -B -A --include-in-header --include-before-body --include-after-body --bibliography --csl --reference-doc --resource-path --data-dir -d --defaults":
        "reads",
      "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt": runsAnother,
    },
  }),
  program("csvcut csvgrep csvlook csvstat csvsort csvjson csvclean in2csv", {
    operands: ["reads"],
    valued: {
      "-c -m -d -q -e --columns --match --regex --delimiter --quotechar --encoding --format --sheet": "text",
      "-f --file": "reads",
    },
  }),
  program("xmllint", {
    operands: ["remote_read"],
    valued: { "-o --output": quietlyWrites, "--xpath --encode --maxmem": "text", "--schema --dtdvalid --relaxng --path": "reads" },
  }),
];
