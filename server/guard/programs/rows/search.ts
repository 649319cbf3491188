import { type Program, type ProgramSpec, program, quietlyWrites, runsAnother, writesUnknown } from "../program";
import { finds, findsByName, findTests, queries, searches } from "../special/search";

const grep: ProgramSpec = {
  special: (act) => searches(act, "-r -R --recursive --dereference-recursive"),
  valued: {
    "-e --regexp -A -B -C -m -d -D --max-count --include --exclude --exclude-dir --label --directories --devices --binary-files --group-separator":
      "text",
    "-f --file --exclude-from": "reads",
  },
};

/** Programs that search in files, and for files. */
export const searchPrograms: readonly Program[] = [
  program("grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep ggrep", grep),
  program("pgrep", { valued: { "-u -U -g -G -P -s -t -d --ns -F": "text" } }),
  program("rg", {
    special: (act) => searches(act, true),
    valued: {
      "-e --regexp -g --glob --iglob -t --type -T --type-not -A -B -C -m -d -j -M -E -r --after-context --before-context --context --max-count --max-depth --threads --max-columns --encoding --replace --sort --sortr --type-add --type-clear --pre-glob --colors --color --context-separator --field-match-separator --field-context-separator --max-filesize --path-separator --engine --dfa-size-limit --regex-size-limit --hyperlink-format --generate":
        "text",
      "-f --file --ignore-file": "reads",
      "--pre --hostname-bin": runsAnother,
    },
    flags: { "--pretty": [] },
  }),
  program("ag ack", {
    special: (act) => searches(act, true, "-f -g --match"),
    valued: {
      "-m -g -G --depth --ignore --ignore-dir --max-count --workers --type --file-search-regex --output --match --ackrc": "text",
      "-p --path-to-ignore --files-from": "reads",
      "--pager": runsAnother,
    },
  }),
  program("find gfind", {
    wordOptions: true,
    followsLinks: "-L -follow",
    special: finds,
    actsByOptions: true,
    valued: { [`${findTests} -newer -anewer -cnewer -samefile -files0-from`]: "text" },
  }),
  program("fd fdfind", {
    actsByOptions: true,
    special: findsByName,
    followsLinks: "-L --follow",
    folderOption: "-C --base-directory",
    valued: {
      "-e -E -t -d -j -c -S -o --extension --exclude --type --max-depth --min-depth --exact-depth --threads --color --size --owner --changed-within --changed-before --and --format --max-results --path-separator --batch-size --base-directory -C --search-path":
        "text",
      "--ignore-file": "reads",
      "-x -X --exec --exec-batch": "text",
    },
  }),
  program("locate plocate mlocate mdfind", {
    without: [],
    special: ({
      command: {
        words: [name],
      },
      role,
    }) => role("lists", { ...name, value: "/", certainty: "literal" }, true),
  }),
  program("jq gojq jaq", {
    special: (act) => queries(act, false),
    valued: {
      "-L --library-path": "lists",
      "-f --from-file": "reads",
      "--arg --argjson --slurpfile --rawfile --argfile --indent": "text",
    },
  }),
  program("yq", {
    actsByOptions: true,
    special: (act) => queries(act, true),
    valued: {
      "-f --from-file --expression-file": "reads",
      "-s --split-exp": writesUnknown,
      "-p -o -I --input-format --output-format --indent --arg --argjson": "text",
      "--slurpfile --rawfile": "text",
    },
  }),
  program("gron fx", { operands: ["remote_read"] }),
  program("fzf sk", {
    valued: {
      "--preview --bind --with-shell --cmd --become": runsAnother,
      "-q --query -f --filter -d --delimiter -n --nth --with-nth --height --prompt --header --layout --color --preview-window --margin --padding --tiebreak --expect":
        "text",
      "--history": quietlyWrites,
      "--walker-root": "lists",
    },
  }),
];
