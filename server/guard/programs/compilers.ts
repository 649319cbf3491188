import { changesFiles } from "./changes-files";
import { readsLists } from "./files";
import { isGiven } from "./given-options";
import { type EffectSink, type FixedEffect, loadsCode, type Program, type ProgramSpec, program, runsFolderCode } from "./program";

const writesFolder: FixedEffect = { kind: "write", target: { where: "inside", path: "." } };
const loadsIt = { role: "text", does: [loadsCode] } as const;

/** Adds the effects of options for a compiler or linker whose values stand in the same word. */
function compiles({ parsed, command, does, role }: EffectSink): void {
  if (!isGiven(parsed, "-o --output -E -fsyntax-only -M -MM")) does(writesFolder);
  for (const word of command.words.slice(1)) {
    const { value } = word;
    if (/^-(?:fplugin|specs|wrapper|B|load|fpass-plugin|Xclang|ld-path|fuse-ld=\/|plugin|dynamic-linker)/.test(value))
      does(loadsCode, word);
    else if (/^-Wl,.*(?:-plugin|--dynamic-linker)/.test(value)) does(loadsCode, word);
    else if (/^-o./.test(value) && !/^-(?:object|opt)/.test(value)) role("writes", { ...word, value: value.slice(2) });
  }
}

const compiler: ProgramSpec = {
  operands: ["reads"],
  wordOptions: true,
  special: compiles,
  valued: {
    "-o --output -MF -dumpdir --dependency-file": "writes",
    "-I -L -include -isystem -iquote -imacros -T -rpath-link": "reads",
    "-x -D -U -l -MT -MQ -Xlinker -Xassembler -Xpreprocessor -arch -framework -target -u -z -soname -h -e -m -A -std -mllvm --param":
      "text",
  },
};

/** Compilers, linkers and formatters of languages. */
export const compilerPrograms: readonly Program[] = [
  program("gcc g++ clang clang++ cc c++ c89 c99 ld gold lld tcc", compiler),
  program("nm size", { operands: ["reads"], special: readsLists, valued: { "--plugin": loadsIt } }),
  program("ar ranlib strip objcopy", { operands: ["text", "changes"], valued: { "--plugin": loadsIt, "-o": "writes" } }),
  program("as nasm yasm", { operands: ["reads"], valued: { "-o -l": "writes", "-f -D -g -F": "text", "-I -i": "reads" } }),
  program("rustc rustdoc", {
    operands: ["reads"],
    does: [runsFolderCode, writesFolder],
    valued: {
      "-o --out-dir --emit": "writes",
      "-L --extern": "reads",
      "-C --codegen": loadsIt,
      "--crate-name --crate-type --edition --target --cfg -A -W -D -O --test-args": "text",
    },
  }),
  program("rustfmt", { operands: ["changes"], valued: { "--edition --config --emit": "text", "--config-path": "reads" } }),
  program("gofmt goimports clang-format stylua terraform-fmt", {
    actsByOptions: true,
    special: changesFiles("-w -i --in-place"),
    valued: { "-r -style --style -lines --config-path": "text" },
  }),
  program("shfmt", { actsByOptions: true, special: changesFiles("-w --write"), valued: { "-i --indent -ln --language-dialect": "text" } }),
  program("javac kotlinc scalac", {
    operands: ["reads"],
    does: [writesFolder],
    wordOptions: true,
    valued: {
      "-d -s -h": "writes",
      "-cp -classpath --class-path -sourcepath --module-path -p": "reads",
      "-processor -processorpath --processor-path": loadsIt,
      "-source -target --release -encoding": "text",
    },
  }),
  program("jar", { operands: ["text", "changes"] }),
];
