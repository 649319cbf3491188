import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TheftCommand, theftCommands } from "@/e2e/secret-theft-commands";
import { listProcesses } from "@/server/testing/processes/list-processes";
import { buildRunner, type RunnerAnswer, type RunnerUser, runBoxed } from "@/server/testing/processes/run-boxed";

const secret = "secret-0f2a7c";

const users: { who: string; user: RunnerUser }[] =
  process.getuid?.() === 0
    ? [
        { who: "as root", user: null },
        { who: "as an unprivileged user", user: { name: "nobody", uid: 65_534, gid: 65_534 } },
      ]
    : [{ who: "as an unprivileged user", user: null }];

/** Creates a data folder with two conversations that a thief prepared; not below /tmp, because commands have their own /tmp. */
function world(user: RunnerUser) {
  const data = realpathSync(mkdtempSync("/var/tmp/handrail-thief-"));
  const root = path.join(data, "workspaces/w/conversations/thief");
  const write = (file: string, content: string, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(data, file)), { recursive: true });
    writeFileSync(path.join(data, file), content, { mode });
  };
  write("secret-key", `${secret}\n`, 0o600);
  write("workspaces/w/conversations/other/notes.txt", `${secret}\n`);
  write("sandbox/tmp/other/draft", `${secret}\n`);
  const inRoot = (file: string, content: string) => write(path.join("workspaces/w/conversations/thief", file), content);
  inRoot(".env", `KEY=${secret}\n`);
  inRoot("nested/.env", `KEY=${secret}\n`);
  inRoot(".ssh/id_thief", `${secret}\n`);
  inRoot(".git/HEAD", "ref: refs/heads/main\n");
  inRoot(".git/config", "[core]\n\tbare = false\n");
  inRoot(".git/hooks/pre-commit", "exit 0\n");
  mkdirSync(path.join(root, ".git/objects"));
  mkdirSync(path.join(root, ".git/refs"));
  symlinkSync(path.join(data, "secret-key"), path.join(root, "planted"));
  symlinkSync(data, path.join(root, "planted-folder"));
  if (user) give(data, user);
  chmodSync(data, 0o700);
  return { data, root };
}

function give(file: string, user: { uid: number; gid: number }): void {
  if (lstatSync(file).isSymbolicLink()) return;
  chownSync(file, user.uid, user.gid);
  if (lstatSync(file).isDirectory()) for (const name of readdirSync(file)) give(path.join(file, name), user);
}

let runner = "";
let runnerFolder = "";
beforeAll(async () => {
  runnerFolder = mkdtempSync(path.join(tmpdir(), "handrail-runner-"));
  chmodSync(runnerFolder, 0o755);
  runner = await buildRunner(runnerFolder);
});
afterAll(() => rmSync(runnerFolder, { recursive: true, force: true }));

/** Runs lines in a fresh world, and returns their output and the remaining files. */
async function steal(user: RunnerUser, chosen: Record<string, TheftCommand>, settings: Record<string, string> = {}) {
  const { data, root } = world(user);
  const abstract = `handrail-${path.basename(data)}`;
  const commands = Object.fromEntries(
    Object.entries(chosen).map(([name, { command }]) => [
      name,
      command.replaceAll("{data}", data).replaceAll("{abstract}", abstract).replaceAll("{workspace}", "w").replaceAll("{other}", "other"),
    ]),
  );
  const task = {
    root,
    sockets: [path.join(data, "sock"), `\0${abstract}`],
    kinds: {
      ".env": "sensitive",
      "nested/.env": "sensitive",
      ".ssh": "sensitive",
      ".git/config": "runs_by_itself",
      ".git/hooks": "runs_by_itself",
    } as const,
    openings: {},
    commands,
  };
  const environment = { HANDRAIL_DATA_DIR: data, THIEF_SECRET: secret, ...settings };
  const answer = await runBoxed(runner, task, { user, environment });
  return { data, root, answer };
}

const took = (printed: string) => printed.includes("TAKEN") || printed.includes(secret);

describe.each(users)("a thief's script that runs $who", ({ user }) => {
  let answer: RunnerAnswer;
  let data = "";
  let root = "";
  beforeAll(async () => {
    ({ answer, data, root } = await steal(user, theftCommands));
  }, 120_000);
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test("is in the sandbox, as the user that was meant", () => {
    expect(answer.status).toMatchObject({ isOn: true, kind: "bubblewrap" });
    expect(answer.user).toBe(user?.uid ?? process.getuid?.());
  });

  test.each(Object.keys(theftCommands))("gets nothing when it %s", (name) => {
    const { stdout, stderr } = answer.results[name] ?? { stdout: "", stderr: "" };
    expect(stdout, stderr).toContain("tried");
    expect(took(stdout), `${stdout}\n${stderr}`).toBe(false);
  });

  test("leaves no process and no file outside of its folder", async () => {
    await expect.poll(() => listProcesses(root)).toEqual([]);
    expect(existsSync(path.join(data, "workspaces/w/conversations/thief.moved"))).toBe(false);
    expect(readdirSync(path.join(data, "workspaces/w/conversations")).sort()).toEqual(["other", "thief"]);
    expect(readFileSync(path.join(root, ".git/hooks/pre-commit"), "utf8")).toBe("exit 0\n");
    expect(readFileSync(path.join(root, ".env"), "utf8")).toBe(`KEY=${secret}\n`);
  });
});

describe("the same lines without the sandbox", () => {
  const noticed = Object.fromEntries(Object.entries(theftCommands).filter(([, line]) => line.takesOutside));
  let answer: RunnerAnswer;
  let data = "";
  beforeAll(async () => {
    ({ answer, data } = await steal(null, noticed, { HANDRAIL_SANDBOX: "off" }));
  }, 120_000);
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  test.each(Object.keys(noticed))("take something when one %s, so the test above would notice", (name) => {
    const { stdout, stderr } = answer.results[name] ?? { stdout: "", stderr: "" };
    expect(took(stdout), `${stdout}\n${stderr}`).toBe(true);
  });
});

describe.each(users)("a greedy command that runs $who", ({ user }) => {
  const greedy: Record<string, TheftCommand> = {
    memory: { command: `perl -e 'my $x = "x" x 400_000_000; print "TAKEN\\n"'; echo tried` },
    "memory of many": {
      command: `for i in 1 2 3 4 5 6; do perl -e 'my $x = "x"; $x x= 80_000_000; sleep 2; print "HELD\\n"' & done; wait; echo tried`,
    },
    processes: { command: "i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i+1)); done; echo tried" },
    file: { command: "head -c 30000000 /dev/zero > big; wc -c < big; echo tried" },
  };
  const settings = { HANDRAIL_SANDBOX_MEMORY_MB: "200", HANDRAIL_SANDBOX_PROCESSES: "40", HANDRAIL_SANDBOX_FILE_MB: "10" };
  let answer: RunnerAnswer;
  beforeAll(async () => {
    const stolen = await steal(user, greedy, settings);
    answer = stolen.answer;
    rmSync(stolen.data, { recursive: true, force: true });
  }, 60_000);

  test("gets no more memory than it may have", () => {
    expect(answer.results.memory?.stdout).not.toContain("TAKEN");
  });

  test("gets no more memory by many processes, unless the status says that nothing limits them together", () => {
    const held = answer.results["memory of many"]?.stdout.match(/HELD/g)?.length ?? 0;
    const isSaid = answer.status.sentence.includes("the memory limit applies per process");
    expect(isSaid ? held : held < 6, answer.status.sentence).toBe(isSaid ? 6 : true);
  });

  test("writes no file larger than it may", () => {
    expect(answer.results.file?.stdout).toContain(String(10 * 1_048_576));
  });

  test("starts no more processes than it may, unless the status says that nothing limits them", () => {
    const { stdout = "", stderr = "" } = answer.results.processes ?? {};
    const isHeld = /fork|resource/i.test(stderr) && !stdout.includes("tried");
    expect(isHeld || answer.status.sentence.includes("the number of their processes is not limited"), stderr).toBe(true);
  });
});
