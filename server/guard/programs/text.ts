import { onlyPrintsAwk } from "./awk-program";
import {
  type EffectSink,
  type GivenOption,
  givenOption,
  loadsCode,
  type Program,
  program,
  quietlyWrites,
  readsThenWrites,
  runsAnother,
  runsUnknown,
  writesByOption,
} from "./program";
import { readSed } from "./sed-script";

const runsInside = { ...runsUnknown, note: "shell.text_program_runs", says: "has a text program that may run a command" } as const;
const writesInside = { note: "shell.text_program_writes", says: "writes a file from within its text program" } as const;

/** Adds the effects of `sed script file …` and `sed -e script file …`. */
function edits({ parsed, role, does, code }: EffectSink): void {
  const { options } = parsed;
  const inPlace = givenOption(parsed, "-i -I --in-place");
  if (inPlace && parsed.operands.length > 0) does(writesByOption, inPlace.word);
  // On BSD, `-i ''` means no backup, and `-l` has no value.
  const operands = inPlace && parsed.operands[0]?.value === "" ? parsed.operands.slice(1) : parsed.operands;
  const isScript = ({ name, value }: GivenOption) =>
    /^(?:-e|--expression)$/.test(name) || (name === "-l" && !/^\d*$/.test(value?.value ?? ""));
  const given = options.filter(isScript).flatMap(({ value }) => value ?? []);
  const isGiven = given.length > 0 || givenOption(parsed, "-f --file") !== undefined;
  // BSD takes the first operand for a script where GNU takes it for a file, so a command in it counts, too.
  const before = isGiven && operands[0] !== undefined && readSed(operands[0].value).writes.length > 0 ? operands.slice(0, 1) : [];
  const scripts = isGiven ? [...before, ...given] : operands.slice(0, 1);
  const [first] = scripts;
  if (first) {
    const { reads, writes, isUnclear } = readSed(scripts.map(({ value }) => value).join("\n"));
    if (isUnclear || scripts.some(({ certainty }) => certainty !== "literal")) {
      does(runsInside, first);
      code(scripts.map(({ value }) => value).join("\n"), first);
    }
    for (const value of reads) role("reads", { ...first, value });
    for (const value of writes) {
      role("writes", { ...first, value });
      does(writesInside, first);
    }
  }
  for (const file of isGiven ? operands : operands.slice(1)) role(inPlace ? "changes" : "reads", file);
}

/** Adds the effects of `awk program file …` and `awk -f program file …`. */
function computes({ parsed, role, does, code }: EffectSink): void {
  const { options, operands } = parsed;
  const given = options.filter(({ name }) => /^(?:-e|--source)$/.test(name)).flatMap(({ value }) => value ?? []);
  const isGiven = given.length > 0 || givenOption(parsed, "-f --file -E --exec") !== undefined;
  const programs = isGiven ? given : operands.slice(0, 1);
  const [first] = programs;
  const text = programs.map(({ value }) => value).join("\n");
  if (first && (programs.some(({ certainty }) => certainty !== "literal") || !onlyPrintsAwk(text))) {
    does(runsInside, first);
    code(text, first);
    if (/>/.test(text)) does(writesInside, first);
  }
  const included = givenOption(parsed, "-i --include")?.value;
  const inPlace = included?.value === "inplace";
  if (inPlace) does(writesByOption, included);
  if (included && !inPlace) does(loadsCode, included);
  for (const file of isGiven ? operands : operands.slice(1)) {
    if (!/^[A-Za-z_]\w*=/.test(file.value)) role(inPlace ? "changes" : "reads", file);
  }
}

const writesSomewhere = { kind: "write", target: { where: "not_known" } } as const;

/** Sets the machine's clock: `date -s`. */
const setsClock = {
  kind: "elevate",
  target: { where: "outside" },
  note: "shell.machine_setup",
  says: "sets the clock of the machine",
} as const;

/** Notes `date 12312359`: an operand that is not a format sets the time. */
function setsTime({ parsed, does }: EffectSink): void {
  const time = parsed.operands.find(({ value }) => !value.startsWith("+"));
  if (time) does(setsClock, time);
}

/** Filters that change text, and calculators. */
export const textPrograms: readonly Program[] = [
  program("sort gsort", {
    operands: ["reads"],
    valued: {
      "-o --output -T --temporary-directory": quietlyWrites,
      "-k --key -t --field-separator -S --buffer-size --batch-size --parallel --sort": "text",
      "--files0-from": "file_list",
      "--random-source": "reads",
      "--compress-program": { role: "text", does: [runsAnother] },
    },
  }),
  program("uniq guniq", {
    special: readsThenWrites,
    valued: { "-f -s -w --skip-fields --skip-chars --check-chars": "text" },
  }),
  program("cut", {
    operands: ["reads"],
    valued: { "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter": "text" },
  }),
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
    valued: { "-d --date": "text", "-f --file": "reads", "-r --reference": "lists", "-s --set": { role: "text", does: [setsClock] } },
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
      "-l --load": { role: "text", does: [loadsCode] },
      "-W": { role: "text", does: [runsInside] },
    },
    flags: { "-d --dump-variables -o --pretty-print -p --profile -D --debug": [writesSomewhere] },
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
      "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt": { role: "text", does: [runsAnother] },
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
