import { loadsCode, type Program, type ProgramSpec, program, runsFolderCode, writesFolder } from "../program";
import { changesFiles } from "../special/changes-files";
import { compiles } from "../special/compilers";
import { readsLists } from "../special/files";

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
  program("nm size", { operands: ["reads"], special: readsLists, valued: { "--plugin": loadsCode } }),
  program("ar ranlib strip objcopy", { operands: ["text", "changes"], valued: { "--plugin": loadsCode, "-o": "writes" } }),
  program("as nasm yasm", { operands: ["reads"], valued: { "-o -l": "writes", "-f -D -g -F": "text", "-I -i": "reads" } }),
  program("rustc rustdoc", {
    operands: ["reads"],
    does: [runsFolderCode, writesFolder],
    valued: {
      "-o --out-dir --emit": "writes",
      "-L --extern": "reads",
      "-C --codegen": loadsCode,
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
      "-processor -processorpath --processor-path": loadsCode,
      "-source -target --release -encoding": "text",
    },
  }),
  program("jar", { operands: ["text", "changes"] }),
];
