import { describe, expect, test } from "vitest";
import { violationsIn } from "./read-trace";

const folder = "/tmp/world/conversations/one";
const programs = new Set(["ls", "cat"]);
const kinds = (...lines: string[]) => violationsIn(lines, folder, programs).map(({ kind }) => kind);
const start = '7 execve("/usr/bin/dash", ["dash"], 0x1) = 0';

describe("a trace of a script", () => {
  test.each([
    ["the shell and a program of the rule", [start, '8 execve("/usr/bin/ls", ["ls"], 0x1) = 0']],
    ["a library of the system", [`7 openat(AT_FDCWD<${folder}>, "/lib/libc.so.6", O_RDONLY|O_CLOEXEC) = 3</usr/lib/libc.so.6>`]],
    ["a file of the folder", [`7 openat(AT_FDCWD<${folder}>, "a.txt", O_RDONLY) = 3<${folder}/a.txt>`]],
    ["output to nowhere", [`7 openat(AT_FDCWD<${folder}>, "/dev/null", O_WRONLY|O_CREAT) = 3</dev/null>`]],
    ["the way to the own folder, as bash looks at it", ['7 newfstatat(AT_FDCWD</>, "/tmp/world", {st_mode=S_IFDIR}, 0) = 0']],
    ["the time of the folder above, as ls -la prints it", [`7 statx(AT_FDCWD<${folder}>, "..", 0, STATX_MODE, {}) = 0`]],
    ["a file that is not there", [`7 openat(AT_FDCWD<${folder}>, ".env", O_RDONLY) = -1 ENOENT (No such file or directory)`]],
  ])("has nothing to report for %s", (_what, lines) => {
    expect(kinds(...lines)).toEqual([]);
  });

  test.each([
    ["execute", [start, '8 execve("/usr/bin/rm", ["rm"], 0x1) = 0']],
    ["execute", [start, '8 execve("/usr/local/bin/evil", ["evil"], 0x1) = -1 ENOENT (No such file or directory)']],
    ["write", [`7 openat(AT_FDCWD<${folder}>, "p", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3<${folder}/p>`]],
    ["write", [`7 mkdir("p", 0777) = 0`]],
    ["delete", [`7 unlinkat(AT_FDCWD<${folder}>, "a.txt", 0) = 0`]],
    ["connect", ["7 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = 0"]],
    ["read outside", [`7 openat(AT_FDCWD<${folder}>, "../two/.env", O_RDONLY) = 3</tmp/world/conversations/two/.env>`]],
    ["read outside", [`7 openat(AT_FDCWD<${folder}/sub>, "../../x", O_RDONLY) = -1 ENOENT (No such file or directory)`]],
    ["read outside", [`7 openat(AT_FDCWD<${folder}>, "link", O_RDONLY) = 3</tmp/world/secret-key>`]],
    ["look outside", [`7 newfstatat(AT_FDCWD<${folder}>, "../two", {st_mode=S_IFDIR}, 0) = 0`]],
    ["read a secret", [`7 openat(AT_FDCWD<${folder}>, ".env", O_RDONLY) = 3<${folder}/.env>`]],
  ])("reports %s: %s", (kind, lines) => {
    expect(kinds(...lines)).toEqual([kind]);
  });

  test("reads a call that another process interrupted", () => {
    const begun = `7 openat(AT_FDCWD<${folder}>, "../x", O_RDONLY <unfinished ...>`;
    expect(kinds(begun, start, "7 <... openat resumed>) = 3</tmp/world/conversations/x>")).toEqual(["read outside"]);
  });
});
