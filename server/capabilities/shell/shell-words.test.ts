import { expect, test } from "vitest";
import { shellWords } from "./shell-words";

const all = () => true;
const none = () => false;

test.each([
  ["/bin/bash where there is one", "linux", {}, all, "/bin/bash"],
  ["/usr/bin/bash where it is there alone", "linux", {}, (file: string) => file === "/usr/bin/bash", "/usr/bin/bash"],
  ["/bin/sh without bash", "linux", { SHELL: "/bin/bash" }, none, "/bin/sh"],
  ["the bash that $SHELL names", "darwin", { SHELL: "/usr/local/bin/bash" }, all, "/usr/local/bin/bash"],
  ["no other shell of $SHELL, which the guard cannot read", "darwin", { SHELL: "/bin/zsh" }, all, "/bin/bash"],
  ["no bash of a folder that people write to", "linux", { SHELL: "/home/me/bin/bash" }, all, "/bin/bash"],
] as const)("a command line is run by %s", (_what, platform, environment, exists, program) => {
  const command = `echo "$HOME" && printf '%s\\n' a`;
  expect(shellWords(command, { platform, environment, exists })).toEqual({ program, args: ["-c", command], isVerbatim: false });
});

test("Windows runs a command line by cmd.exe, without its start files, as one quoted word", () => {
  const words = shellWords('dir "C:\\My Files" & echo done', { platform: "win32", environment: {}, exists: none });
  expect(words).toEqual({ program: "cmd.exe", args: ["/D", "/S", "/C", '"dir "C:\\My Files" & echo done"'], isVerbatim: true });
  const environment = { ComSpec: "C:\\Windows\\System32\\cmd.exe" };
  expect(shellWords("dir", { platform: "win32", environment, exists: none }).program).toBe("C:\\Windows\\System32\\cmd.exe");
});
