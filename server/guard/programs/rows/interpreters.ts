import { language } from "../language";
import {
  connectsTo,
  loadsCode,
  type Program,
  type ProgramSpec,
  program,
  runsAnother,
  runsFolderCode,
  runsUnknown,
  writesFolder,
} from "../program";
import { editsFiles, readsInput, runsFileOrAddress, runsJava, runsShell, shell, startsPrompt } from "../special/interpreters";

const deno: ProgramSpec = {
  optionsFirst: true,
  special: runsFileOrAddress,
  valued: {
    "-r --reload -L --log-level --ext -p --port": "text",
    "-c --config --env-file --import-map --cert": "configures",
    "--preload --require --import": loadsCode,
  },
};
const runsCode: ProgramSpec = { operands: ["code"] };

/** Shells, languages and editors: programs that run code in their language. */
export const interpreterPrograms: readonly Program[] = [
  program("sh bash dash zsh ksh ksh93 mksh ash rbash yash csh tcsh", {
    ...shell,
    actsByOptions: true,
    special: runsShell,
    runsInput: readsInput,
    isShell: true,
  }),
  program("fish", {
    optionsFirst: true,
    operands: ["executes", "text"],
    valued: { "-c --command -C --init-command": "script", "-d -D -o -f -p": "text" },
    runsInput: (args) => args.every(({ value }) => /^-(?![cCvhn]|-c|-i|-v|-h)/.test(value)),
    isShell: true,
  }),
  language("python pypy pypy3 jython", { code: "-c", module: "-m", text: "-W -X --check-hash-based-pycs", only: "-V --version -h --help" }),
  language("node nodejs", {
    code: "-e -p -pe --eval --print",
    only: "-v --version -h --help -c --check --v8-options",
    loads: "-r --require --import --loader --experimental-loader",
    reads: "--env-file --env-file-if-exists --snapshot-blob --icu-data-dir --openssl-config",
    writes: "--test-reporter-destination --redirect-warnings --report-directory --diagnostic-dir --cpu-prof-dir",
    folderCode: "--test --run --watch-path --experimental-sea-config --build-snapshot",
    text: "-C --conditions --title --test-name-pattern --test-concurrency --input-type --stack-trace-limit",
  }),
  language("ts-node tsx ts-node-esm esno", {
    code: "-e -p -pe --eval --print",
    only: "-v --version -h --help",
    loads: "-r --require --import --loader -C --compiler",
    reads: "-P --project --tsconfig --env-file",
    text: "-O --compiler-options -I --ignore --cwd-mode",
  }),
  language("ruby jruby", {
    code: "-e",
    loads: "-r --require",
    text: "-I -C -E --encoding",
    attached: "-i -F -x -W -K -T",
    only: "-v --version -h --help -c",
    isFilter: true,
  }),
  language("perl", {
    code: "-e -E",
    loads: "-M -m",
    text: "-I",
    attached: "-i -F -x -C -D",
    only: "-v -V --version --help",
    isFilter: true,
  }),
  language("php", {
    code: "-r -B -R -E --run --process-begin --process-code --process-end",
    executes: "-f --file -F --process-file",
    loads: "-d --define -z --zend-extension",
    reads: "-c --php-ini -t --docroot",
    text: "-S --server",
    only: "-v --version -h --help -i --info -m --modules -l --syntax-check --ini",
  }),
  language("lua luajit texlua", { code: "-e", loads: "-l -j -b", only: "--version --help", text: "-O" }),
  language("Rscript R", { code: "-e", executes: "-f --file", only: "--version --help", text: "--encoding -g --gui -d --debugger" }),
  language("osascript", { code: "-e", text: "-l -s" }),
  language("tclsh wish", {}),
  language("expect", { code: "-c", executes: "-f", only: "-v" }),
  language("julia", {
    code: "-e -E --eval --print",
    loads: "-L --load -J --sysimage",
    text: "-t --threads -p --procs --project",
    only: "-v --version -h --help",
  }),
  language("elixir groovy scala", {
    code: "-e --eval",
    loads: "-r -pr -S -cp -classpath",
    text: "--name --sname",
    only: "-v --version -h --help",
  }),
  program("deno", {
    valued: { "-L --log-level": "text" },
    subcommands: {
      "": {},
      run: deno,
      eval: runsCode,
      "test bench task repl": { does: [runsFolderCode] },
      "fmt lint": { operands: ["changes"], valued: { "--ignore --ext --indent-width --line-width": "text", "-c --config": "reads" } },
      "check info doc types": { operands: ["remote_read"] },
      "cache install add outdated update": { does: [connectsTo("jsr.io"), writesFolder] },
    },
    runsInput: startsPrompt,
  }),
  program("pwsh powershell pwsh.exe powershell.exe", {
    does: [{ ...runsUnknown, note: "shell.powershell", says: "runs PowerShell, which is not read here" }],
  }),
  program("java", {
    wordOptions: true,
    optionsFirst: true,
    actsByOptions: true,
    lastOption: "-jar -m --module",
    special: runsJava,
    valued: {
      "-jar": "executes",
      "-m --module": runsFolderCode,
      "-cp -classpath --class-path -p --module-path --add-modules --add-opens --add-exports": "text",
    },
  }),
  program("vi vim nvim view vimdiff gvim rvim rview", {
    special: editsFiles,
    valued: { "-c --cmd -S -s -u -U -l": runsAnother, "-w -W -i": "writes", "-t -T": "text" },
    runsInput: (args) => args.some(({ value }) => /^-(?:e?s|E?s|es.*|)$/.test(value)),
  }),
  program("ed ex red", { operands: ["writes"], valued: { "-c": runsAnother, "-p": "text" }, runsInput: () => true }),
  program("nano pico", {
    operands: ["writes"],
    valued: { "-s --speller -R": runsAnother, "-f --rcfile": "reads", "-C --backupdir": "writes", "-T -r -o -Y -Q -J": "text" },
  }),
  program("emacs emacsclient", {
    wordOptions: true,
    operands: ["writes"],
    valued: {
      "-eval --eval -e --execute -execute": "code",
      "-l --load -load -f --funcall -funcall -L --directory -a --alternate-editor": loadsCode,
      "--script -script -x": "executes",
    },
  }),
];
