import type { ShellWord } from "../script/words";
import { parseWords } from "./parse-words";
import { type EffectSink, givenOption, loadsCode, notes, type Program, type ProgramSpec, program, runsFolderCode } from "./program";

/** The file names of a program's own standard input. */
const input = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;
const reverse = /socket|require\(["'`](?:net|node:net|tls)|\/dev\/tcp|\/inet\/tcp|fsockopen|TCPSocket|net\.connect|net\.Socket/i;
const handsOver = /dup2|subprocess|pty\.|\/bin\/|spawn|exec|popen|system|proc_open|<&|>&/i;

export const isInput = ({ value }: ShellWord): boolean => input.test(value);

/** The meaning of a language's options, each as a list of names. */
export type Language = {
  /** Options whose value is a program. */
  code?: string;
  /** Options whose value has no effect. */
  text?: string;
  /** Options whose value is code that is loaded before the program. */
  loads?: string;
  reads?: string;
  writes?: string;
  executes?: string;
  /** Options whose value is a module of Python. */
  module?: string;
  /** Options with which nothing runs. */
  only?: string;
  /** Options with which code of the folder runs, and not the input. */
  folderCode?: string;
  attached?: string;
  /** With code in an option, the operands are files that the program reads, or changes with `-i`. */
  isFilter?: true;
};

const ofFramework = /^(?:\.\/)?(?:manage\.py|artisan|bin\/(?:rails|rake))$/;

/** Builds the program of a language, which runs code from an option, from its first operand or from its input. */
export function language(names: string, said: Language): Program {
  const { code = "", module = "", only = "--version --help -V -h", folderCode = "" } = said;
  const spec: ProgramSpec = {
    optionsFirst: true,
    actsByOptions: true,
    ...(said.attached ? { attached: said.attached } : {}),
    ...(module ? { lastOption: `${module} ${code}` } : {}),
    valued: {
      [code]: "code",
      [`${module} ${said.text ?? ""}`]: "text",
      [said.reads ?? ""]: "configures",
      [said.writes ?? ""]: "writes",
      [said.executes ?? ""]: "executes",
      [said.loads ?? ""]: loadsCode,
    },
    flags: { [folderCode]: [runsFolderCode] },
  };
  const runsOther = `${code} ${module} ${said.executes ?? ""}`.trim();
  return program(names, {
    ...spec,
    runsInput: (args) => {
      const parsed = parseWords(args, spec);
      const [file] = parsed.operands;
      return !givenOption(parsed, `${runsOther} ${only} ${folderCode}`) && (file === undefined || isInput(file));
    },
    special: (act) => {
      const { parsed, role, run } = act;
      const [file] = parsed.operands;
      tellReverseShell(act, code);
      const imported = module && givenOption(parsed, module)?.value;
      if (imported) runsModule(act, imported);
      else if (givenOption(parsed, runsOther)) {
        for (const data of said.isFilter ? parsed.operands : []) role(givenOption(parsed, "-i") ? "changes" : "reads", data);
      } else if (file && givenOption(parsed, only)) role("reads", file);
      else if (file && !isInput(file)) {
        role("executes", file);
        // `python manage.py flush`: the task stands behind the script.
        if (ofFramework.test(file.value)) run(parsed.operands);
      }
    },
  });
}

/** Notes a program in an option that connects and hands a shell to the other side. */
function tellReverseShell({ parsed, does }: EffectSink, code: string): void {
  for (const { name, value } of parsed.options) {
    if (!value || !code.split(" ").includes(name) || !reverse.test(value.value) || !handsOver.test(value.value)) continue;
    does(notes("shell.reverse_shell", "hands a shell to another machine"), value);
  }
}

const ofFolder = /^(?:pytest|unittest|doctest|coverage|tox|nox|pdb|cProfile|profile|trace|timeit|runpy)$/;
const harmless = /^(?:http\.server|this|platform|sysconfig|site|calendar|tokenize|ast|dis|pyclbr|tabnanny)$/;

/** Runs a module with its words: `python3 -m module`. */
function runsModule({ parsed, role, does, run, content }: EffectSink, module: ShellWord): void {
  const files = parsed.operands.filter(({ value }) => !value.startsWith("-"));
  // Python prefers the folder's own `json.py` to the library's module.
  does(runsFolderCode, module);
  const file = module.value.replaceAll(".", "/");
  for (const value of [`${file}.py`, `${file}/__main__.py`]) content("runs", { ...module, value }, { isDefault: true });
  if (module.certainty !== "literal") run([module]);
  else if (ofFolder.test(module.value)) return;
  else if (module.value === "json.tool") {
    const [source, target] = files;
    if (source) role("reads", source);
    if (target) role("writes", target);
  } else if (/^(?:venv|virtualenv|compileall)$/.test(module.value)) for (const file of files) role("writes", file);
  else if (harmless.test(module.value)) for (const file of files) role("reads", file);
  // `python3 -m pip` is `pip`.
  else run([module, ...parsed.operands]);
}
