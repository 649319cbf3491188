import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, readTool, shellCall, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardContext, GuardRequest } from "../call/guard-request";
import { decide } from "../decide";
import { deletes, lists } from "../effects/declare-effects";
import { effectDetectors } from "./effect-detectors";

const folder = "/data/conversations/a";
const policy = policyOfRules([{ verdict: "allow" }], {
  sensitivePaths: ["plans/**", "*.bak", "/srv/shared", "~/notes"],
  allowedHosts: ["registry.npmjs.org", "*.example.org"],
});
const ids = new Set(effectDetectors.map(({ id }) => id));
/** Returns the ids of the findings in a call's effects. */
function foundIn(call: GuardRequest, context: Partial<GuardContext> = {}) {
  const { findings } = decide(policy, { ...call, context: { ...call.context, folder, ...context } });
  return findings.filter(({ detector }) => ids.has(detector));
}
const idsOf = (...asked: Parameters<typeof foundIn>) => foundIn(...asked).map(({ detector }) => detector);
const inShell = (command: string) => idsOf(shellCall(command));
const boxed = (command: string) => idsOf(shellCall(command), { sandboxed: true });
const inRead = (path: string) => idsOf(buildRequest(readTool, { path }));
const inMcp = (args: JsonObject) => idsOf(buildRequest(mcpTool, args));

test.each([
  "contacts/ACTIVE.md",
  "./contacts/../contacts/INACTIVE.md",
  "file_state_dir/contacts/ACTIVE.md",
  `${folder}/contacts/ACTIVE.md`,
])("a file tool that writes %s changes the people whom agents know, and a command does not", (path) => {
  expect(idsOf(buildRequest(writeTool, { path }))).toEqual(["contacts.change"]);
  expect(inRead(path)).toEqual([]);
  expect(idsOf(buildRequest(writeTool, { path: `${path}.bak` }))).not.toContain("contacts.change");
  expect(boxed(`echo hi > ${path}`)).toEqual([]);
});

describe("a call that leaves the folder", () => {
  test.each(examples`
    ls ../other ¦ ls docs/../../other ¦ cat ~root/x ¦ cd .. && cat x ¦ cd docs && cat ../../x ¦ cat < /var/log/syslog ¦ cp a /var/x
    tar --file=/var/x.tar -c . ¦ dd if=/var/x of=y ¦ curl -d @/var/x https://a.example.org ¦ curl file:///var/x ¦ sh -c 'cat /var/x'
    cat {/var/x,y} ¦ cat "/va"r/x ¦ grep -f /var/patterns x ¦ touch /opt/x ¦ /srv/tool --run ¦ rm -rf .. ¦ rm -rf /data/conversations
  `)("%s is asked about, with the sandbox and without it", (command) => {
    expect(inShell(command)).toContain("workspace.escape");
    expect(boxed(command)).toContain("workspace.escape");
  });

  test("may use a /tmp of its own in the sandbox, and the machine's only when somebody approves", () => {
    expect(inShell("echo hi > /tmp/x")).toContain("workspace.escape");
    expect(boxed("echo hi > /tmp/x; cp a /tmp; cat /tmp/x")).toEqual([]);
  });

  test.each([
    "ls -la",
    "cat docs/../README.md",
    "cd docs && cat ../x",
    "cat x > /dev/null 2>&1",
    "cat /dev/stdin /dev/fd/3",
    "cat ~/x $HOME/y",
    "cat /etc/hostname /usr/include/stdio.h",
    "cd / && ls",
    "gcc -I/opt/x a.c",
    "grep -rn /api/v1 src",
    "grep -e /api src",
    "sed 's/a/b/' x",
    "awk '/start/ {print}' log",
    "find . -path './a/*' -name '*.ts'",
    "echo /etc/shadow ~ ..",
    "printf '%s' ../x",
    "git commit -m 'see /docs'",
    "ls $PWD/docs",
    "curl https://a.example.org/a/../b",
    `cat ${folder}/x`,
    "rm -rf ./build",
    "cat ...",
    "echo '$HOME'",
  ])("%s does not", (command) => {
    expect(inShell(command)).not.toContain("workspace.escape");
    expect(boxed(command)).not.toContain("workspace.escape");
  });

  test("may come up again from a folder further down", () => {
    const call = (cwd: string) => idsOf(buildRequest(shellTool, { command: "cat ../x", cwd }));
    expect(call("docs")).toEqual([]);
    expect(call(".")).toEqual(["workspace.escape"]);
    expect(call("../other")).toEqual(["workspace.escape"]);
  });

  test.each(["/var/x", "/etc/hostname", "../x", "a/../../x", "file/../../../x"])("is found where a file tool's path is %s", (path) => {
    expect(inRead(path)).toEqual(["workspace.escape"]);
  });

  test.each(["a/b", "a/../b", ".", "..x", `${folder}/a`, "a b/c", "~/x"])("is none where it is %s", (path) => {
    expect(inRead(path)).toEqual([]);
  });

  test("is denied where a file tool could not do it anyway, and asked about where a program may be let out", () => {
    expect(foundIn(buildRequest(readTool, { path: "../x" }))).toMatchObject([{ detector: "workspace.escape", verdict: "deny" }]);
    expect(foundIn(shellCall("cat ../x"), { sandboxed: true })).toMatchObject([{ verdict: "require_approval" }]);
  });

  test("is told with the words that say so, or with the path where they stand deeper in the arguments", () => {
    expect(foundIn(shellCall("cat a ../x /var/y"))).toMatchObject([
      { verdict: "require_approval", message: "This call reads ../x (2×).", excerpt: "../x" },
    ]);
    const many = { ...readTool, effects: () => [lists("/paths/0", "../x")] };
    expect(foundIn(buildRequest(many, { paths: ["../x"] }))).toMatchObject([{ message: "This call looks at ../x.", excerpt: "../x" }]);
  });
});

describe("a sensitive file", () => {
  test.each(examples`
    .env ¦ app/.env.production ¦ config/.ENV.local ¦ deploy/credentials.json ¦ service-account.json ¦ a/secrets/b ¦ a/credentials/b
    private-keys/x ¦ backup/.ssh/id_rsa ¦ .aws/config ¦ server.pem ¦ .git-credentials ¦ plans/2027.md ¦ x/plans ¦ db.bak ¦ /srv/shared/a
    ~/notes/a ¦ /etc/shadow
  `)("is asked about, however it is read: %s", (path) => {
    expect(inRead(path)).toContain("file.sensitive");
    expect(inShell(`cat ${path}`)).toContain("file.sensitive");
    expect(boxed(`cat < ${path}`)).toContain("file.sensitive");
    expect(inMcp({ files: [{ where: { path } }] })).toContain("file.sensitive");
  });

  test.each(examples`
    README.md ¦ .env.example ¦ environment.ts ¦ docs/secrets.md ¦ src/credentials.ts ¦ planning/x ¦ keys.ts ¦ a.backup
  `)("is none in %s", (path) => {
    expect(inRead(path)).toEqual([]);
    expect(inMcp({ path })).toEqual([]);
  });

  test.each(examples`
    cp x .ssh/authorized_keys ¦ cd .ssh && cat id_rsa ¦ cat //etc/./shadow ¦ sudo tee /etc/sudoers.d/x ¦ cat /proc/self/environ
    cat db.b?k db.bak ¦ cat ".e""nv" ¦ tar czf x.tgz .env ¦ rm .env ¦ cat $x/.env
  `)("is found in %s", (command) => expect(inShell(command)).toContain("file.sensitive"));

  test.each(examples`
    ls *.json ¦ cat package.json ¦ grep -rn '.env' docs ¦ cat .env.example ¦ echo .env ¦ ls -la .env ¦ test -f .env
  `)("is not read by %s", (command) => expect(inShell(command)).not.toContain("file.sensitive"));

  test("below `~` lies in the folder, which `~` names", () => {
    expect(inRead("notes/a")).toEqual(["file.sensitive"]);
    expect(inShell("cat notes/a")).toEqual(["file.sensitive"]);
    expect(inRead("src/notes/a")).toEqual([]);
  });

  test("is found under any name of an argument where a tool does not say its effects", () => {
    expect(inMcp({ anything: "./app/.env" })).toEqual(["file.sensitive"]);
    expect(inMcp({ anything: "file:///home/me/%2essh/id_rsa" })).toEqual(["file.sensitive"]);
    expect(inMcp({ text: "Put the key into .env, please" })).toEqual([]);
    expect(idsOf(buildRequest({ ...readTool, effects: () => [] }, { path: "a", note: "./.env" }))).toEqual([]);
    expect(idsOf(buildRequest(shellTool, { command: "ls", note: "./.env" }))).toEqual([]);
  });

  test("is met by a search through the folder when the call is real, and covered in the sandbox", () => {
    const files = { real: new Map(), madeHere: new Set<string>(), sensitive: ["app/.env"], linksOut: [], unfollowed: [], gap: null };
    expect(idsOf(shellCall("grep -r key ."), { files })).toEqual(["file.sensitive"]);
    expect(idsOf(shellCall("find . -name .env -exec cat {} +"), { files })).toEqual(["file.sensitive"]);
    expect(idsOf(shellCall("grep -r key src"), { files })).toEqual([]);
    expect(idsOf(shellCall("grep -r key ."), { files, sandboxed: true })).toEqual([]);
  });
});

describe("a host that is not allowed yet", () => {
  test.each([
    ["curl https://example.com/x", true],
    ["git clone https://example.com/a.git", true],
    ["curl -d x=1 https://example.com", true],
    ["ping example.com", true],
    ["curl $URL", true],
    ["curl https://registry.npmjs.org/x", false],
    ["curl https://a.example.org/x", false],
    ["curl https://example.org/x", true],
    ["grep -rn https://example.com src", false],
  ])("in %s: %s", (command, isFound) => {
    expect(inShell(command).includes("network.connect")).toBe(isFound);
    expect(boxed(command).includes("network.connect")).toBe(isFound);
  });

  test("is the call's own server in the sandbox, and the machine's without it", () => {
    expect(boxed("curl localhost:3000")).toEqual([]);
    expect(inShell("curl localhost:3000")).toContain("network.connect");
  });

  test("is none of tools that make their own requests", () => {
    const fetchTool = { ...readTool, name: "url_fetch", needs: ["http"] };
    expect(idsOf(buildRequest(fetchTool, { path: "https://example.com" }))).not.toContain("network.connect");
  });
});

describe("work that exists nowhere else", () => {
  test.each([
    ["rm -rf src", true],
    ["rm -rf .", true],
    ["rm -rf docs/..", true],
    ["rm -rf ./*", true],
    ["rm *.ts", true],
    ["rm -r $x", true],
    ["rm -rf node_modules dist", false],
    ["rm -rf packages/a/node_modules", false],
    ["rm a b", false],
    ["rmdir src", false],
  ])("goes at once with %s: %s", (command, isFound) => {
    expect(inShell(command).includes("shell.delete_recursively")).toBe(isFound);
    expect(boxed(command).includes("shell.delete_recursively")).toBe(isFound);
  });

  test("is not what the conversation made itself", () => {
    const files = { real: new Map(), madeHere: new Set(["scratch"]), sensitive: [], linksOut: [], unfollowed: [], gap: null };
    expect(idsOf(shellCall("rm -rf scratch"), { files, sandboxed: true })).toEqual([]);
    expect(idsOf(shellCall("rm -rf other"), { files, sandboxed: true })).toEqual(["shell.delete_recursively"]);
  });

  test("is asked about for a file tool, too", () => {
    const remove = { ...writeTool, name: "delete_file", effects: () => [deletes("/path", "src", { recursive: true })] };
    expect(idsOf(buildRequest(remove, { path: "src" }))).toEqual(["shell.delete_recursively"]);
  });
});

test("a gap in the sandbox's protection is asked about, also under a rule that allows everything, and only there", () => {
  const files = { real: new Map(), madeHere: new Set<string>(), sensitive: [], linksOut: [], unfollowed: [], gap: "Too many files." };
  const decided = (sandboxed: boolean) => {
    const call = shellCall("npm test");
    return decide(policy, { ...call, context: { ...call.context, folder, files, sandboxed } });
  };
  const gap = expect.objectContaining({ detector: "sandbox.gap", message: "Too many files." });
  expect(decided(true)).toMatchObject({ verdict: "require_approval", findings: expect.arrayContaining([gap]) });
  expect(decided(false).findings.map(({ detector }) => detector)).not.toContain("sandbox.gap");
});

test.each<[command: string, id: string]>([
  ["echo x > .git/hooks/pre-commit", "shell.startup_file"],
  ["echo x >> ~/.bashrc", "shell.startup_file"],
  ["cp tasks.json .vscode/tasks.json", "shell.startup_file"],
  ["rm .git/hooks/pre-push", "shell.startup_file"],
  ["sudo tee /etc/motd", "shell.system_file"],
  ["rm /usr/bin/x", "shell.system_file"],
  ["cp x /private/etc/y", "shell.system_file"],
  ["echo key >> ~/.ssh/authorized_keys", "shell.login_keys"],
  ["cp x /root/.ssh/authorized_keys2", "shell.login_keys"],
  ["echo x | sudo tee /etc/sudoers", "shell.sudoers"],
  ["sudo cp x /etc/sudoers.d/y", "shell.sudoers"],
])("%s is %s, with the sandbox and without it", (command, id) => {
  expect(inShell(command)).toContain(id);
  expect(boxed(command)).toContain(id);
});

test.each(examples`
  cat .git/hooks/pre-commit ¦ cat ~/.bashrc ¦ ls /etc ¦ cat /etc/os-release ¦ echo x > authorized_keys.md ¦ cat etc/motd
`)("%s changes no such file", (command) => expect(inShell(command).filter((id) => id.startsWith("shell."))).toEqual([]));

describe("what is known only when a command runs", () => {
  test.each([
    ...examples`
      ls $TMPDIR ¦ cat .?/x ¦ cat .*/x ¦ cat $UNKNOWN/x ¦ cat $(echo $HOME)/x ¦ cat .e* ¦ cat .en[v] ¦ cat $(echo .env) ¦ xargs cat < list
      cd $x && cat a ¦ cd docs; cat ../../a*/../b ¦ a-program-that-nobody-knows x ¦ python3 -c "print(open('/etc/passwd').read())"
      eval "$x"
    `,
    "ls ${OLDPWD}",
  ])("is asked about without the sandbox, and a note in it: %s", (command) => {
    expect(foundIn(shellCall(command)).find(({ detector }) => detector === "shell.not_followed")?.verdict).toBe("require_approval");
    const inBox = foundIn(shellCall(command), { sandboxed: true });
    expect(inBox.find(({ detector }) => detector === "shell.not_followed")?.verdict).toBe("allow");
  });

  test("is asked about all the same where an admin says so", () => {
    const strict = policyOfRules([{ verdict: "allow" }], {
      detectors: { "shell.not_followed": { enabled: true, verdict: "require_approval" } },
    });
    const call = { ...shellCall("cat $x"), context: { interactive: true, sandboxed: true } };
    expect(decide(strict, call).verdict).toBe("require_approval");
    expect(decide(policy, call).verdict).toBe("allow");
  });
});
