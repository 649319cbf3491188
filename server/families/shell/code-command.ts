import { randomBytes } from "node:crypto";
import type { codeLanguages } from "@/contracts/tools/shell";

export type CodeLanguage = (typeof codeLanguages)[number] | "powershell";

/** Programs that read code from their input. `-I`: Python ignores the folder and its variables. */
const readers: Record<Exclude<CodeLanguage, "shell">, { strict: string; project: string }> = {
  python: { strict: "python3 -I -", project: "python3 -" },
  node: { strict: "node -", project: "node -" },
  powershell: {
    strict: "pwsh -NoLogo -NoProfile -NonInteractive -Command -",
    project: "pwsh -NoLogo -NoProfile -NonInteractive -Command -",
  },
};

/** Returns the command that runs code. The end of the here-document is random, so no code can hold it. */
export function codeCommand(language: CodeLanguage, code: string, mode: "strict" | "project"): string {
  if (language === "shell") return code;
  const end = `CODE_${randomBytes(12).toString("hex")}`;
  return `${readers[language][mode]} <<'${end}'\n${code}\n${end}`;
}
