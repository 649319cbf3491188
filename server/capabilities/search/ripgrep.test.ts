import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { env } from "@/server/platform/env";
import { temporaryFolder } from "@/server/testing/tool-context";
import { ripgrep } from "./ripgrep";

function statusesOf(query: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const [program, ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (program !== "/rg" || !words.includes(query)) return [];
      return [`${readFileSync(`/proc/${pid}/status`, "utf8")}\n${readFileSync(`/proc/${pid}/limits`, "utf8")}`];
    } catch {
      return [];
    }
  });
}

test("a search runs under the filter of system calls and the limits of every program, without rights", async () => {
  const query = randomUUID();
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  async function* input() {
    yield new TextEncoder().encode(`before ${query}\n`);
    await isSeen;
  }
  const found = (async () => {
    let text = "";
    for await (const chunk of ripgrep(["-e", query], { folder: temporaryFolder(), signal: new AbortController().signal, input: input() })) {
      text += chunk;
    }
    return text;
  })();
  await expect.poll(() => statusesOf(query).length).toBe(1);
  const [status = ""] = statusesOf(query);
  see();
  expect(status).toMatch(/^Seccomp:\s+2$/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(new RegExp(`^Max data size\\s+${env().sandbox.limits.memoryBytes}\\b`, "m"));
  expect(await found).toBe(`before ${query}\n`);
});
