import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, variable } from "../fixtures";
import { freePort } from "../product";

/**
 * Tries to start a product that must refuse to. The shared product is running meanwhile, so that what it holds is taken.
 * @returns everything that it said
 */
async function refusal(settings: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const { HANDRAIL_E2E_URL, HANDRAIL_E2E_DATA_DIR, DATABASE_URL, npm_lifecycle_event, ...environment } = process.env;
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...environment, PORT: String(await freePort()), HANDRAIL_DATA_DIR: folder, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    // One that starts after all must not stay behind.
    timeout: 40_000,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "close");
  return { code, said };
}

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-refusals-"));
  await writeFile(path.join(folder, "file"), "");
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const taken = {
  port: () => new URL(variable("HANDRAIL_E2E_URL")).port,
  dataDir: () => variable("HANDRAIL_E2E_DATA_DIR"),
};

const cases: { what: string; settings: () => Record<string, string>; sentence: RegExp }[] = [
  {
    what: "a port that is taken",
    settings: () => ({ PORT: taken.port() }),
    sentence: /^Handrail cannot start: Port \d+ is taken .*PORT=\d+\.$/,
  },
  {
    what: "a data folder in use by another instance",
    settings: () => ({ HANDRAIL_DATA_DIR: taken.dataDir() }),
    sentence: /^Handrail cannot start: Another Handrail \(process \d+\) is using the data folder .*HANDRAIL_DATA_DIR\.$/,
  },
  {
    what: "a data folder that cannot be written to",
    settings: () => ({ HANDRAIL_DATA_DIR: path.join(folder, "file/data") }),
    sentence: /^Handrail cannot start: The folder .* cannot be written to \(.*\): set HANDRAIL_DATA_DIR to one that can\.$/,
  },
  {
    what: "a database server that is not there",
    settings: () => ({ DATABASE_URL: "postgres://handrail:secret@127.0.0.1:1/handrail" }),
    sentence: /^Handrail cannot start: DATABASE_URL leads to 127\.0\.0\.1:1, where nothing listens: .*\.$/,
  },
  {
    what: "a database host that cannot be found",
    settings: () => ({ DATABASE_URL: "postgres://handrail:secret@no-such-host.invalid/handrail" }),
    sentence: /^Handrail cannot start: DATABASE_URL names a host that cannot be found \(no-such-host\.invalid\): .*\.$/,
  },
  {
    what: "a database address that is none",
    settings: () => ({ DATABASE_URL: "localhost:5432/handrail" }),
    sentence: /^Handrail cannot start: DATABASE_URL must look like postgres:\/\/.*\.$/,
  },
  { what: "a wrong role", settings: () => ({ HANDRAIL_ROLE: "boss" }), sentence: /^Handrail cannot start: HANDRAIL_ROLE must be .*\.$/ },
];

for (const { what, settings, sentence } of cases) {
  test(`${what} is refused in one sentence, with exit code 1`, async () => {
    const { code, said } = await refusal(settings());
    expect(said.trim()).toMatch(sentence);
    expect(said).not.toContain("secret");
    expect(code).toBe(1);
  });
}
