import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { env } from "@/server/platform/env";
import { listProcesses } from "@/server/testing/processes/list-processes";
import { buildRunner, startRunner } from "@/server/testing/processes/run-boxed";
import { temporaryFolder } from "@/server/testing/tool-context";
import { type WorkspaceShellOptions, workspaceShell } from "../shell/workspace-shell";
import { boxedProgram, furtherStreams } from "./boxed-program";
import { callNetwork, endConversationNetwork } from "./network/conversation-network";
import { noOpenings, type Openings } from "./openings";

/** Creates a folder outside /tmp, because commands have their own /tmp. */
function outsideFolder(): string {
  const folder = realpathSync(mkdtempSync("/var/tmp/handrail-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function conversation(options: WorkspaceShellOptions = {}) {
  const root = path.join(temporaryFolder(), "workspace");
  mkdirSync(root);
  const put = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  };
  const run = (command: string, openings: Partial<Openings> = {}) =>
    workspaceShell(root, { ...options, openings: { ...noOpenings, ...openings } }).run(command, {
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      maxBytesPerStream: 10_000,
    });
  return { root, put, run };
}

const kinds: Record<string, "sensitive" | "runs_by_itself"> = {
  ".env": "sensitive",
  ".ssh": "sensitive",
  ".git/config": "runs_by_itself",
  ".git/hooks": "runs_by_itself",
  "tools/.envrc": "runs_by_itself",
};
const classify = (file: string) => kinds[file] ?? null;

describe("everyday work in the folder", () => {
  test("commits with git, although nobody set it up", async () => {
    const { run } = conversation();
    const { stdout, stderr } = await run(
      "git init -q && echo text > file && git add . && git commit -qm first && git log --format='%s by %an'",
    );
    expect(stdout, stderr).toBe("first by agent\n");
  });

  test("knows its own user, name and time", async () => {
    const { run } = conversation();
    expect((await run('whoami; hostname; test -n "$(date)" && echo dated')).stdout).toBe("agent\nsandbox\ndated\n");
  });

  test("leaves files that belong to the server's user", async () => {
    const { root, run } = conversation();
    await run("mkdir made; echo text > made/file");
    expect(readFileSync(path.join(root, "made/file"), "utf8")).toBe("text\n");
  });

  test("finds none of Handrail's own programs", async () => {
    const { run } = conversation();
    vi.stubEnv("PATH", `${process.cwd()}/node_modules/.bin:/usr/games:relative:${process.env.PATH}`);
    const { stdout } = await run("echo $PATH; command -v biome");
    vi.unstubAllEnvs();
    expect(stdout).toContain("/usr/games");
    expect(stdout).not.toMatch(/node_modules|relative|biome/);
  });

  test("reaches a server of its own on loopback", async () => {
    const { run } = conversation();
    const server = `perl -MSocket -e 'socket(my $s, AF_INET, SOCK_STREAM, 0); bind($s, pack_sockaddr_in(3000, INADDR_LOOPBACK)) or die; listen($s, 1); open(F, ">up"); accept(my $c, $s); print $c "hello"' &`;
    const client = `perl -MSocket -e 'socket(my $s, AF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in(3000, INADDR_LOOPBACK)) or die; print <$s>'`;
    expect((await run(`${server} while [ ! -e up ]; do :; done; ${client}`)).stdout).toBe("hello");
  });
});

describe("/tmp", () => {
  test("lasts from one command of a conversation to the next, and is nobody else's", async () => {
    const id = `test-${process.pid}`;
    onTestFinished(() => rmSync(path.join(env().dataDir, "sandbox/tmp", id), { recursive: true, force: true }));
    const first = conversation({ conversationId: id });
    await first.run("echo kept > /tmp/note");
    expect((await first.run("cat /tmp/note")).stdout).toBe("kept\n");
    expect((await conversation({ conversationId: `${id}-other` }).run("ls /tmp")).stdout).not.toContain("note");
    expect(existsSync("/tmp/note")).toBe(false);
  });

  test("without a conversation ends with the command", async () => {
    const { run } = conversation();
    expect((await run("echo gone > /tmp/note; cat /tmp/note")).stdout).toBe("gone\n");
    expect((await run("ls /tmp/note")).exitCode).not.toBe(0);
  });

  test("is of no conversation whose id is a path", async () => {
    await expect(conversation({ conversationId: "../../x" }).run("true")).rejects.toEqual(expect.objectContaining({ code: "invalid" }));
  });
});

describe("an opening", () => {
  test("lets one call read a folder outside, and not write it", async () => {
    const { run } = conversation();
    const folder = outsideFolder();
    writeFileSync(path.join(folder, "data.txt"), "outside\n");
    const file = path.join(folder, "data.txt");
    expect((await run(`cat ${file}`)).exitCode).toBe(1);
    expect((await run(`cat ${file}; echo more >> ${file}`, { readable: [folder] })).stdout).toBe("outside\n");
    expect(readFileSync(file, "utf8")).toBe("outside\n");
  });

  test("lets one call write a file outside", async () => {
    const { run } = conversation();
    const file = path.join(outsideFolder(), "data.txt");
    writeFileSync(file, "");
    await run(`echo written > ${file}`, { writable: [file] });
    expect(readFileSync(file, "utf8")).toBe("written\n");
  });

  test("to write what is not there says which folder to name", async () => {
    const { run } = conversation();
    const file = path.join(outsideFolder(), "new.txt");
    await expect(run("true", { writable: [file] })).rejects.toThrow(/Name the folder that it is to be made in/);
    expect((await run("echo ran", { readable: [file] })).stdout).toBe("ran\n");
  });

  test.each(["secret-key", "workspaces/w/conversations/other", "."])("never reaches %s in the data folder", async (inside) => {
    const { run } = conversation();
    await expect(run("true", { readable: [path.join(env().dataDir, inside)] })).rejects.toEqual(
      expect.objectContaining({ code: "forbidden" }),
    );
    await expect(run("true", { writable: [path.join(env().dataDir, inside)] })).rejects.toEqual(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  test("never reaches the data folder through a link", async () => {
    const { run } = conversation();
    const folder = outsideFolder();
    mkdirSync(env().dataDir, { recursive: true });
    symlinkSync(env().dataDir, path.join(folder, "door"));
    await expect(run("true", { readable: [path.join(folder, "door")] })).rejects.toEqual(expect.objectContaining({ code: "forbidden" }));
    await expect(run("true", { readable: [path.join(folder, "door/sandbox")] })).rejects.toEqual(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  test("of a folder around the checkout shows neither the checkout nor the data folder", async () => {
    const { run } = conversation();
    const { stdout, stderr } = await run(`ls -d ${path.dirname(process.cwd())} && ls -A ${process.cwd()}`, {
      readable: [path.dirname(process.cwd())],
    });
    expect(stdout, stderr).toBe(`${path.dirname(process.cwd())}\n`);
  });

  test.each(["/", "/proc", "/proc/1/root", "/sys", "/dev/mem"])("of %s is refused", async (file) => {
    await expect(conversation().run("true", { readable: [file] })).rejects.toEqual(expect.objectContaining({ code: "forbidden" }));
  });

  test("to the host runs outside of the sandbox", async () => {
    const { run } = conversation();
    expect((await run("whoami", { host: false })).stdout).toBe("agent\n");
    expect((await run("readlink /proc/self/ns/mnt", { host: true })).stdout).toBe(`${readlinkSync("/proc/self/ns/mnt")}\n`);
  });
});

describe("files that run by themselves", () => {
  const started = () => {
    const made = conversation({ classify });
    made.put(".git/config", "[core]\n\tbare = false\n");
    made.put(".git/hooks/pre-commit", "exit 0\n");
    made.put("tools/.envrc", "true\n");
    return made;
  };

  test("are read-only, and so is the way to them", async () => {
    const { root, run } = started();
    const { stdout } = await run(
      "for f in .git/config .git/hooks/pre-commit .git/hooks/new tools/.envrc; do (echo x >> $f) 2>/dev/null && echo wrote $f; done; mv .git x 2>/dev/null && echo moved; mv tools y 2>/dev/null && echo moved; cat tools/.envrc",
    );
    expect(stdout).toBe("true\n");
    expect(readFileSync(path.join(root, "tools/.envrc"), "utf8")).toBe("true\n");
  });

  test("leave everything beside them writable", async () => {
    const { root, run } = started();
    const { stderr } = await run("echo x > .git/HEAD; mkdir tools/more; echo y > tools/more/file; mv tools/more tools/less");
    expect(stderr).toBe("");
    expect(readFileSync(path.join(root, "tools/less/file"), "utf8")).toBe("y\n");
  });

  test("can be written where the call has an opening for them", async () => {
    const { root, run } = started();
    await run("git config -f .git/config user.name Ada", { writable: [path.join(root, ".git/config")] });
    expect(readFileSync(path.join(root, ".git/config"), "utf8")).toContain("Ada");
    await run("echo 'exit 1' > .git/hooks/pre-commit", { writable: [".git/hooks/pre-commit"] });
    expect(readFileSync(path.join(root, ".git/hooks/pre-commit"), "utf8")).toBe("exit 1\n");
    expect((await run("echo x > .git/hooks/new", { writable: [".git/hooks/pre-commit"] })).exitCode).not.toBe(0);
    await run("echo 'exit 2' > .git/hooks/new", { writable: [".git"] });
    expect(readFileSync(path.join(root, ".git/hooks/new"), "utf8")).toBe("exit 2\n");
  });

  test("that are made by the command itself are its own", async () => {
    const { run } = conversation({ classify });
    expect((await run("git init -q && git config user.name Ada && git config user.name")).stdout).toBe("Ada\n");
  });

  test("that are links lead nowhere", async () => {
    const { root, run } = conversation({ classify });
    const outside = path.join(outsideFolder(), "config");
    writeFileSync(outside, "kept\n");
    mkdirSync(path.join(root, ".git"));
    symlinkSync(outside, path.join(root, ".git/config"));
    await run("echo x >> .git/config; cat .git/config");
    expect(readFileSync(outside, "utf8")).toBe("kept\n");
  });
});

describe("sensitive files", () => {
  const started = () => {
    const made = conversation({ classify });
    made.put(".env", "KEY=hidden\n");
    made.put(".ssh/id", "hidden\n");
    made.put(".ssh/config", "hidden config\n");
    return made;
  };

  test("cannot be read, changed or moved away", async () => {
    const { root, run } = started();
    const { stdout } = await run(
      "cat .env .ssh/id; (echo x > .env) && echo wrote; mv .env x && echo moved; rm -f .env; ls .ssh; (echo x > .ssh/new) && echo wrote",
    );
    expect(stdout).toBe("");
    expect(readFileSync(path.join(root, ".env"), "utf8")).toBe("KEY=hidden\n");
  });

  test("can be read by the call that has an opening for them, and only those", async () => {
    const { run } = started();
    expect((await run("cat .env; ls .ssh", { uncovered: [".env"] })).stdout).toBe("KEY=hidden\n");
    expect((await run("cat .env .ssh/config; ls .ssh", { uncovered: [".ssh/config"] })).stdout).toBe("hidden config\nconfig\n");
  });

  test("that are too many to be covered stop the command", async () => {
    const many = conversation({ classify: (file) => (file.startsWith("key-") ? "sensitive" : null) });
    for (let index = 0; index < 501; index += 1) many.put(`key-${index}`, "");
    await expect(many.run("true")).rejects.toThrow(/more than the sandbox can protect/);
  });
});

describe("the network", () => {
  test.each([
    ["curl: (6) Could not resolve host: registry.npmjs.org", true],
    ["npm error code EAI_AGAIN", true],
    ["pip: Temporary failure in name resolution", true],
    ["connect: Network is unreachable", true],
    ["cat: no-such-file: No such file or directory", false],
    ["connect ECONNREFUSED 127.0.0.1:3000", false],
  ])("was missed by a command that fails with %j: %j", async (sentence, isMissed) => {
    const { run } = conversation();
    expect((await run(`echo '${sentence}' >&2; exit 1`)).missedNetwork ?? false).toBe(isMissed);
    expect((await run(`echo '${sentence}' >&2`)).missedNetwork).toBeUndefined();
  });

  test("is the conversation's where there is one, and the proxy is the call's", async () => {
    const closed: string[] = [];
    const network = async () => ({
      enter: ["/usr/bin/env", "--"],
      proxy: async (hosts: readonly string[]) => {
        const url = `http://127.0.0.1:9/${hosts.join("+")}`;
        return { url, environment: { https_proxy: url }, troubles: () => [], close: () => void closed.push("closed") };
      },
    });
    const { run } = conversation({ conversationId: `test-${process.pid}`, network });
    onTestFinished(() => rmSync(path.join(env().dataDir, "sandbox/tmp", `test-${process.pid}`), { recursive: true, force: true }));
    const { stdout } = await run("readlink /proc/self/ns/net; echo $https_proxy", { hosts: ["a.test"] });
    expect(stdout).toBe(`${readlinkSync("/proc/self/ns/net")}\nhttp://127.0.0.1:9/a.test\n`);
    expect(closed).toEqual(["closed"]);
    expect((await run("echo [$https_proxy]")).stdout).toBe("[]\n");
  });

  test("says why a host was not reached, and which one the call did not name", async () => {
    const conversationId = `why-${process.pid}`;
    onTestFinished(() => endConversationNetwork(conversationId));
    onTestFinished(() => rmSync(path.join(env().dataDir, "sandbox/tmp", conversationId), { recursive: true, force: true }));
    const { run } = conversation({ conversationId, network: callNetwork });
    const result = await run("curl -s https://nowhere.invalid; curl -s https://other.test; true", { hosts: ["nowhere.invalid"] });
    expect(result.networkTroubles).toEqual([
      expect.stringMatching(/^(The name nowhere\.invalid is unknown|No name server answered for nowhere\.invalid)/),
      "other.test:443 is not among the hosts of this call. Name it in `hosts` to ask for it.",
    ]);
    expect((await run("true", { hosts: ["nowhere.invalid"] })).networkTroubles).toBeUndefined();
  });
});

test("the list of processes shows no path of the machine and none of the sandbox's own arguments", async () => {
  const { run, root } = conversation();
  const { stdout } = await run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
  expect(stdout).toContain("bwrap");
  expect(stdout).not.toContain(root);
  expect(stdout).not.toMatch(/--ro-bind|--setenv|--unshare/);
});

test("a program that talks over its streams runs in the sandbox, for starters that do not ask what becomes of it", async () => {
  const { root } = conversation();
  const program = await boxedProgram(["/bin/sh", "-c", "whoami; cat; ls /proc/self/fd | wc -l"], { root, environment: { GIVEN: "yes" } });
  const child = spawn(program.command, program.args, {
    env: program.env as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "inherit", ...furtherStreams(program.descriptors)],
  });
  program.started();
  child.stdin?.end("said and heard\n");
  expect(child.stdout && (await text(child.stdout))).toMatch(/^agent\nsaid and heard\n\d+\n$/);
  expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
  program.release();
});

describe("a server that is killed", () => {
  test("leaves no process of a sandbox and no mount", async () => {
    const folder = temporaryFolder();
    const root = path.join(folder, "workspaces/c");
    mkdirSync(root, { recursive: true });
    const runner = await buildRunner(folder);
    const commands = { long: "trap '' TERM HUP INT; setsid sh -c \"trap '' TERM HUP; echo up > up; sleep 600\" & sleep 600" };
    const task = { root, sockets: [], kinds: {}, openings: {}, commands };
    const mounts = () =>
      readFileSync("/proc/self/mountinfo", "utf8")
        .split("\n")
        .filter((line) => line.includes("handrail") || line.includes("bubblewrap"));
    const before = mounts();
    const child = startRunner(runner, task, { user: null, environment: { HANDRAIL_DATA_DIR: folder } });
    await expect.poll(() => existsSync(path.join(root, "up"))).toBe(true);
    expect(listProcesses(root).length).toBeGreaterThan(2);
    child.kill("SIGKILL");
    await expect.poll(() => listProcesses(root)).toEqual([]);
    expect(mounts()).toEqual(before);
  });
});

test("a box that cannot be made is a sentence, and not an exit code of the command", async () => {
  const { run } = conversation({
    conversationId: `test-${process.pid}`,
    network: async () => ({ enter: ["/bin/sh", "-c", "echo bwrap: no room >&2; exit 1"], proxy: never }),
  });
  await expect(run("true")).rejects.toThrow("The sandbox could not be made (no room), so the command did not run. Try again.");
});

const never = async (): Promise<never> => {
  throw new Error("nobody asked for a proxy");
};
