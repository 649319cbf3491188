import type { AnalyzedCall } from "../call/analyzed-call";
import { findDeclaredLanguage, findSourceTexts, mayRunPrograms } from "../call/declared-language";
import { excerpt } from "../excerpt";
import { memoizeLast } from "../memoize-last";
import { type Detector, type DetectorMatch, noDetectorMatches } from "./detector";

const searched = "Source code is only searched for words, not understood: more may be there.";
const common = { relaxable: true, appliesTo: mayRunPrograms } as const;

/** Signs in source code of any language, by what the code does. */
const words = {
  runs_command:
    /\bos\.(?:system|popen|exec|spawn|posix_spawn|fork)|\bsubprocess\b|\bpty\.spawn|child_process|\bexec(?:Sync|File|a)?\(|\bspawn(?:Sync)?\(|\bpopen\(|\bsystem\(|Deno\.(?:run|Command)|Bun\.spawn|\bctypes\b|\bpexpect\b|Process\.start|Runtime\.getRuntime|`/,
  deletes:
    /\bos\.(?:remove|unlink|rmdir|removedirs|truncate)|\brmtree\b|\.(?:unlink|rmdir)\(|\b(?:unlink|rm|rmdir|truncate)(?:Sync)?\(|\brimraf\b|File\.delete|FileUtils\.rm|Deno\.remove/,
  evaluates:
    /\beval\b|\bexec\(|\bcompile\(|pickle\.load|marshal\.load|\bFunction\(|\bvm\.run|\bimportlib\b|__import__|b64decode|\batob\(|loadstring/,
  connectsShell: /dup2\(|pty\.spawn|\.pipe\((?:sh|cp)\.stdin|fsockopen|TCPSocket|IO::Socket/,
  connects: /\bsocket\b|net\.(?:connect|Socket)|fsockopen|TCPSocket|IO::Socket|createConnection/,
};

/** Returns the source code that a call runs in a language other than a shell's; empty for other calls. */
const sourcesIn = memoizeLast((call: AnalyzedCall): readonly string[] => {
  const language = findDeclaredLanguage(call);
  return language === null || language === "shell" ? [] : findSourceTexts(call);
});

function searching(pattern: RegExp, does: string, also: RegExp = pattern): Detector["find"] {
  return (call) => {
    const found = sourcesIn(call).flatMap((source): DetectorMatch[] => {
      const match = also.test(source) ? pattern.exec(source) : null;
      return match ? [{ message: `Source code ${does}: \`${excerpt(match[0])}\`.`, text: match[0] }] : [];
    });
    return found.length === 0 ? noDetectorMatches : found;
  };
}

export const sourceCodeDetectors: readonly Detector[] = [
  {
    ...common,
    id: "code.runs_command",
    title: "Source code that starts programs",
    severity: "high",
    verdict: "require_approval",
    confinedBySandbox: true,
    explanation: `A program can start any command, which rules for commands do not see. ${searched}`,
    fix: "Use the tool for shell commands, where the command can be judged.",
    find: searching(words.runs_command, "starts programs"),
  },
  {
    ...common,
    id: "code.deletes",
    title: "Source code that deletes files",
    severity: "medium",
    verdict: "require_approval",
    confinedBySandbox: true,
    explanation: `What a program deletes is gone, and which files these are is known only when it runs. ${searched}`,
    fix: "Say which files have to go, or move them aside.",
    find: searching(words.deletes, "deletes files"),
  },
  {
    ...common,
    id: "code.evaluates",
    title: "Source code that runs text",
    severity: "medium",
    verdict: "require_approval",
    confinedBySandbox: true,
    explanation: `eval, exec and decoded or loaded objects run a program that does not stand in the source. ${searched}`,
    fix: "Write out what should run.",
    find: searching(words.evaluates, "runs text as a program"),
  },
  {
    ...common,
    id: "code.reverse_shell",
    title: "Source code that hands a shell to another machine",
    severity: "critical",
    verdict: "deny",
    explanation: `A connection together with a shell's input and output gives somebody elsewhere this machine. ${searched}`,
    fix: "Use a tool for the network request that you need.",
    find: searching(words.connectsShell, "hands a shell to another machine", words.connects),
  },
];
