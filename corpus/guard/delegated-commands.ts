import type { CorpusGroup } from "./corpus-group";

/** Commands that pass data to another command: by variables, functions, input and files. */
export const handedOnCommands: readonly CorpusGroup[] = [
  {
    kind: "dangerous",
    why: "a function, variable or alias of one script is used by another",
    finds: "floor.",
    commands: ["x=/ sh -c 'rm -rf $x'", "export x=/; sh -c 'rm -rf $x'", "sudo x=/ sh -c 'rm -rf $x'", "eval 'x=/'; rm -rf $x"],
  },
  {
    kind: "dangerous",
    why: "what a command reads is what runs or what it is done to",
    finds: "floor.",
    commands: [],
  },
  {
    kind: "dangerous",
    why: "a file is written and then run",
    finds: "floor.",
    commands: [],
  },
  {
    kind: "dangerous",
    why: "a file is run that holds commands nobody has seen",
    finds: "shell.",
    commands: ["parallel -a jobs.txt", "parallel :::: jobs.txt", "(bash) < jobs.txt", "while true; do sh; done < jobs.txt"],
  },
  {
    kind: "benign",
    why: "what is handed on stays in the workspace",
    commands: [
      `x=build; y=x; ls \${!y}`,
      'while read -r line; do echo "$line"; done < list.txt',
      'while read -r name; do mkdir -p "build/$name"; done <<< docs',
      'log() { echo "[$(date)] $*"; }; log start; npm test; log done',
      "echo '{}' > settings.json; cat settings.json",
      "printf 'a\\nb\\n' > names.txt; grep a names.txt",
      "cat > notes.md <<'E'\n# Notes\nrm -rf / is never run\nE\ncat notes.md",
      "parallel -a list.txt gzip",
      "xargs -a list.txt ls -l",
      "dropdb --help",
    ],
  },
  {
    kind: "benign",
    why: "reads and searches of every day",
    onlyReads: true,
    commands: [
      "find . -perm /u+x -type f",
      "find . -perm /222",
      "find . -printf '/%f\\n'",
      "grep -rE '(\\.\\./)+' src",
      "find . -newermt '2024-01-01' ! -newermt '2024-02-01'",
      "cat 'it'\\''s.txt'",
    ],
  },
  {
    kind: "dangerous",
    why: "a file runs that the same command line has written with what nobody can follow",
    finds: "shell.written_program",
    commands: [
      "(echo reboot) > x; sh x",
      "f() { echo $1 > x; }; f reboot; sh x",
      "cat > x; . ./x",
      "exec 3> x; echo reboot >&3; sh x",
      "x=/; cat > y <<E\nrm -rf $x\nE\nsh y",
      "echo 'import os' > x.py; python3 x.py",
      "date > x; mv x y; perl y",
    ],
  },
  {
    kind: "benign",
    why: "what is written is looked at, or another file runs",
    commands: ["date > log.txt; node app.js", "./build.sh > build.log 2>&1; tail build.log", "cat > run.sh <<'E'\nls\nE\nsh run.sh"],
  },
];
