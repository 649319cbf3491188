import { describe, expect, test } from "vitest";
import { seccompFilter } from "./seccomp-filter";

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
type Known = keyof typeof audit;

/** Evaluates the filter for one system call, as the kernel does; knows only the instructions that the filter uses. */
function verdictOf(program: Buffer, call: { architecture: number; number: number; args?: readonly number[] }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.architecture >>> 0, 4);
  for (const [index, value] of (call.args ?? []).entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const [ifTrue, ifFalse, value] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3), program.readUInt32LE(at * 8 + 4)];
    const jump = (isTrue: boolean) => {
      at += isTrue ? ifTrue : ifFalse;
    };
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`The filter has an instruction that it should not have: ${code}`);
  }
  throw new Error("The filter ended without an answer");
}

const allowed = 0x7fff0000;
const killed = 0x80000000;
const failed = (errno: number) => 0x00050000 | errno;

function filterOf(architecture: Known): Buffer {
  const filter = seccompFilter(architecture);
  if (!filter) throw new Error(`There is no filter for ${architecture}`);
  return filter;
}

const calls: [what: string, numbers: Record<Known, number | null>, args: number[], verdict: number][] = [
  ["read", { x64: 0, arm64: 63 }, [], allowed],
  ["execve", { x64: 59, arm64: 221 }, [], allowed],
  ["ptrace", { x64: 101, arm64: 117 }, [], failed(1)],
  ["mount", { x64: 165, arm64: 40 }, [], failed(1)],
  ["unshare", { x64: 272, arm64: 97 }, [0], failed(1)],
  ["bpf", { x64: 321, arm64: 280 }, [], failed(1)],
  ["io_uring_setup", { x64: 425, arm64: 425 }, [], failed(1)],
  ["clone3", { x64: 435, arm64: 435 }, [], failed(38)],
  ["openat2", { x64: 437, arm64: 437 }, [], failed(38)],
  ["clone of a process", { x64: 56, arm64: 220 }, [17], allowed],
  ["clone of a thread", { x64: 56, arm64: 220 }, [0x3d0f00], allowed],
  ["clone with a user namespace", { x64: 56, arm64: 220 }, [0x10000011], failed(1)],
  ["clone with a network namespace", { x64: 56, arm64: 220 }, [0x40000011], failed(1)],
  ["the question for the personality", { x64: 135, arm64: 92 }, [0xffffffff], allowed],
  ["a personality without random addresses", { x64: 135, arm64: 92 }, [0x40000], failed(1)],
  ["a local socket", { x64: 41, arm64: 198 }, [1], allowed],
  ["a socket of the internet", { x64: 41, arm64: 198 }, [10], allowed],
  ["a socket to the host", { x64: 41, arm64: 198 }, [40], failed(97)],
  ["a packet socket", { x64: 41, arm64: 198 }, [17], failed(97)],
  ["an ordinary request to a terminal", { x64: 16, arm64: 29 }, [0, 0x5401], allowed],
  ["typing into a terminal", { x64: 16, arm64: 29 }, [0, 0x5412], failed(1)],
  ["fchmod 0755", { x64: 91, arm64: 52 }, [3, 0o755], allowed],
  ["fchmod 04755", { x64: 91, arm64: 52 }, [3, 0o4755], failed(1)],
  ["fchmodat 02755", { x64: 268, arm64: 53 }, [0, 0, 0o2755], failed(1)],
  ["mkfifo", { x64: 259, arm64: 33 }, [0, 0, 0o10644], allowed],
  ["opening what exists, with anything as the mode", { x64: 257, arm64: 56 }, [0, 0, 0, 0o4755], allowed],
  ["making a file 0644", { x64: 257, arm64: 56 }, [0, 0, 0o101, 0o644], allowed],
  ["making a file 04755", { x64: 257, arm64: 56 }, [0, 0, 0o101, 0o4755], failed(1)],
  ["making a nameless file 04755", { x64: 257, arm64: 56 }, [0, 0, 0o20200001, 0o4755], failed(1)],
];

describe.each(["x64", "arm64"] as const)("the filter of system calls of %s", (architecture) => {
  test.each(calls)("answers %s", (_what, numbers, args, verdict) => {
    const number = numbers[architecture];
    if (number === null) throw new Error("The table has no number");
    expect(verdictOf(filterOf(architecture), { architecture: audit[architecture], number, args })).toBe(verdict);
  });

  test("kills a process that calls as another architecture", () => {
    for (const other of [0x40000003, architecture === "x64" ? audit.arm64 : audit.x64]) {
      expect(verdictOf(filterOf(architecture), { architecture: other, number: 0 })).toBe(killed);
    }
  });

  test("answers every number of a system call", () => {
    const program = filterOf(architecture);
    for (let number = 0; number < 600; number += 1) {
      expect([allowed, failed(1), failed(38), failed(97)]).toContain(verdictOf(program, { architecture: audit[architecture], number }));
    }
  });
});

test("calls of the 32-bit sibling of x86_64 kill the process", () => {
  expect(verdictOf(filterOf("x64"), { architecture: audit.x64, number: 0x40000000 + 59 })).toBe(killed);
});

test("an architecture that the table does not know has no filter", () => {
  expect(seccompFilter("riscv64")).toBeNull();
});
