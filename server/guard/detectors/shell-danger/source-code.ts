import type { CallOnTrial } from "../../call-on-trial";
import { excerpt } from "../../excerpt";
import { rememberLatest } from "../../remember-latest";
import { declaredLanguageOf, type Language, mayRunPrograms, sourcesOf } from "../../shell/declared-language";
import type { Detector, Sighting } from "../detector";

type Kind = { does: string; words: Partial<Record<Language, readonly string[]>> };

const anyLanguage = ["system(", "popen(", "exec(", "`"];

/** Words of source text, each looked for once: time grows with the text and never faster. */
const kinds: Record<"runs_command" | "deletes" | "evaluates" | "reverse_shell", Kind> = {
  runs_command: {
    does: "starts programs",
    words: {
      python: [
        "os.system",
        "subprocess",
        "os.popen",
        "os.exec",
        "os.spawn",
        "os.posix_spawn",
        "pty.spawn",
        "commands.getoutput",
        "asyncio.create_subprocess",
        "import pty",
        "ctypes",
        "os.fork",
        "pexpect",
        "getattr(os",
        "__import__",
        "import_module",
      ],
      javascript: [
        "child_process",
        "execSync",
        "spawnSync",
        "execFile",
        "process.binding",
        "Bun.spawn",
        "Deno.run",
        "Deno.Command",
        "worker_threads",
        "process.dlopen",
        "createRequire",
        "import(",
        "execa",
        "zx",
      ],
      other: anyLanguage,
    },
  },
  deletes: {
    does: "deletes files",
    words: {
      python: [
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "os.removedirs",
        "shutil.rmtree",
        "shutil.move",
        ".unlink(",
        ".rmdir(",
        "os.truncate",
        "send2trash",
      ],
      javascript: [
        "unlink(",
        "unlinkSync",
        "rmSync",
        "rmdir",
        "fs.rm(",
        "rm(",
        "promises.rm",
        "rimraf",
        "truncate",
        "Deno.remove",
        "fs-extra",
        "emptyDir",
      ],
      other: ["unlink", "rmdir", "rmtree", "File.delete", "FileUtils.rm", "os.remove", "file.remove"],
    },
  },
  evaluates: {
    does: "runs text as a program",
    words: {
      python: [
        "eval(",
        "exec(",
        "compile(",
        "pickle.load",
        "marshal.load",
        "runpy",
        "execfile",
        "code.interact",
        "yaml.load(",
        "b64decode",
      ],
      javascript: [
        "eval(",
        "new Function",
        "Function(",
        "vm.run",
        "node:vm",
        "require('vm')",
        'require("vm")',
        "atob(",
        "setTimeout('",
        'setTimeout("',
      ],
      other: ["eval", "instance_eval", "assert(", "loadstring", "load(", "parse(text"],
    },
  },
  reverse_shell: {
    does: "hands a shell to another machine",
    words: {
      python: ["dup2(", "pty.spawn"],
      javascript: [".pipe(sh.stdin", "stdin.pipe", "pipe(cp.stdin"],
      other: ["fsockopen", "TCPSocket", "IO::Socket"],
    },
  },
};

const connects = ["socket", "net.connect", "net.Socket", "fsockopen", "TCPSocket", "IO::Socket", "createConnection"];
const scanned = "Source code is only searched for words, not understood: what is not found may still be there.";

const mayFind = (call: CallOnTrial) => textsOf(call).texts.length > 0;
const common = { relaxable: true, appliesTo: mayRunPrograms, mayFind } as const;

/** Detectors of what source code in a call does to the machine. */
export const sourceCodeDetectors: readonly Detector[] = [
  {
    ...common,
    id: "code.runs_command",
    title: "Source code that starts programs",
    severity: "high",
    verdict: "require_approval",
    explanation: `A program in Python, JavaScript and the like can start any command, which rules for commands do not see. ${scanned}`,
    fix: "Use the tool for shell commands, where the command can be judged.",
    find: (call) => sightingsOf("runs_command", call),
  },
  {
    ...common,
    id: "code.deletes",
    title: "Source code that deletes files",
    severity: "medium",
    verdict: "require_approval",
    explanation: `What a program deletes is gone, and which files these are is only known when it runs. ${scanned}`,
    fix: "Say which files have to go, or move them aside.",
    find: (call) => sightingsOf("deletes", call),
  },
  {
    ...common,
    id: "code.evaluates",
    title: "Source code that runs text",
    severity: "medium",
    verdict: "require_approval",
    explanation: `eval, exec and decoded or loaded objects run a program that does not stand in the source. ${scanned}`,
    fix: "Write out what should run.",
    find: (call) => sightingsOf("evaluates", call),
  },
  {
    ...common,
    id: "code.reverse_shell",
    title: "Source code that hands a shell to another machine",
    severity: "critical",
    verdict: "deny",
    explanation: `A connection together with a shell's input and output gives somebody elsewhere this machine. ${scanned}`,
    fix: "Use a tool for the network request that you need.",
    find: (call) =>
      textsOf(call).texts.some((text) => connects.some((word) => text.includes(word))) ? sightingsOf("reverse_shell", call) : [],
  },
];

const textsOf = rememberLatest(findTexts);

function findTexts(call: CallOnTrial): { language: Language | null; texts: readonly string[] } {
  const language = call.shell ? null : declaredLanguageOf(call);
  return { language, texts: language === null || language === "shell" ? [] : sourcesOf(call) };
}

function sightingsOf(kind: keyof typeof kinds, call: CallOnTrial): Sighting[] {
  const { language, texts } = textsOf(call);
  const words = language === null ? [] : (kinds[kind].words[language] ?? []);
  return texts.flatMap((text) => {
    const word = words.find((candidate) => text.includes(candidate));
    if (word === undefined) return [];
    const at = text.indexOf(word);
    const piece = text.slice(Math.max(0, at - 20), at + word.length + 40);
    return [{ message: `This program ${kinds[kind].does}: it has \`${excerpt(word)}\` in it. ${scanned}`, text: piece }];
  });
}

/** Whether a call runs PowerShell, by its tool's name or by the language that it declares. */
export const isPowerShell = (call: CallOnTrial): boolean => declaredLanguageOf(call) === "powershell";
