import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { callOf, mcpTool, policyOfRules, readTool, shellCall, shellTool, writeTool } from "@/server/testing/guarded-calls";
import type { AskedCall, GuardedTool } from "../asked-call";
import { decide } from "../decide";
import { allDetectors } from "./all-detectors";

const policy = policyOfRules([{ verdict: "allow" }], { sensitivePaths: ["plans/**", "*.bak", "/srv/shared", "~/notes"] });
const folder = "/data/conversations/a";
const idsOf = (call: AskedCall) =>
  decide(policy, { ...call, context: { ...call.context, folder } }).findings.map(({ detector }) => detector);
const inShell = (command: string) => idsOf(shellCall(command));
const inMcp = (args: JsonObject, name = "notes__save_note") => idsOf(callOf({ ...mcpTool, name }, args));
const inRead = (path: string) => idsOf(callOf(readTool, { path }));

test("every detector has its own id, and says why and what to do instead", () => {
  expect(new Set(allDetectors.map(({ id }) => id)).size).toBe(allDetectors.length);
  for (const { id, title, explanation, fix } of allDetectors) {
    expect(id).toMatch(/^[a-z]+\.[a-z_]+$/);
    expect(title.length).toBeGreaterThan(3);
    expect(explanation).toMatch(/\.$/);
    expect(fix).toMatch(/\.$/);
  }
});

describe("the boundary of the workspace", () => {
  test.each([
    "cat /etc/hostname",
    "ls ../other",
    "ls docs/../../other",
    "cat ~/x",
    "cat ~root/x",
    "cat $HOME/x",
    "ls $TMPDIR",
    "ls ${OLDPWD}",
    "cd / && ls",
    "cd .. && cat x",
    "cd docs && cat ../../x",
    "cat < /var/log/syslog",
    "echo hi > /tmp/x",
    "cp a /tmp",
    "tar --file=/tmp/x.tar -c .",
    "gcc -I/opt/x a.c",
    "dd if=/var/x of=y",
    "curl -d @/var/x https://example.com",
    "curl file:///var/x",
    "cat .?/x",
    "cat .*/x",
    "sh -c 'cat /var/x'",
    "cat $UNKNOWN/x",
    'cat "/e"tc/hostname',
    "cat {/var/x,y}",
    "rm -rf .",
    "rm -r ./",
    "rm -rf ./*",
    "rm -rf docs/..",
    `rm -rf ${folder}`,
    "rmdir .",
    "cat $(echo $HOME)/x",
    "grep -f /var/patterns x",
  ])("%s leaves it", (command) => {
    expect(inShell(command)).toContain("workspace.escape");
  });

  test.each([
    "ls -la",
    "cat docs/../README.md",
    "cd docs && cat ../x",
    "cat x > /dev/null 2>&1",
    "cat /dev/stdin /dev/fd/3",
    "grep -rn /api/v1 src",
    "grep -e /api src",
    "sed 's/a/b/' x",
    "awk '/start/ {print}' log",
    "find . -path './a/*' -name '*.ts'",
    "echo /etc/hostname",
    "printf '%s' ../x",
    "git commit -m 'see /docs'",
    "/usr/bin/make test",
    "env /usr/bin/python3 x.py",
    "ls $PWD/docs",
    "curl https://example.com/a/../b",
    `cat ${folder}/x`,
    "rm -rf ./build",
    "rm -rf node_modules/*",
    "cat ...",
    "ls -d .*",
    "FOO=a; cat $FOO/x",
    "echo '$HOME'",
  ])("%s stays inside", (command) => {
    expect(inShell(command)).not.toContain("workspace.escape");
  });

  test("a command that starts further down may come up again", () => {
    const call = (cwd: string) => idsOf(callOf(shellTool, { command: "cat ../x", cwd }));
    expect(call("docs")).toEqual([]);
    expect(call(".")).toContain("workspace.escape");
    expect(call("../other")).toContain("workspace.escape");
  });

  test.each(["/etc/hostname", "../x", "~/x", "a/../../x", "~", "file/../../../x"])("a file tool's path %s leaves it", (path) => {
    expect(inRead(path)).toContain("workspace.escape");
  });

  test.each(["a/b", "a/../b", ".", "..x", `${folder}/a`, "a b/c"])("a file tool's path %s stays inside", (path) => {
    expect(inRead(path)).toEqual([]);
  });
});

describe("sensitive files", () => {
  test("what a search opens is looked at by the names that it looks for", () => {
    expect(inShell("find . -name .env -exec cat {} +")).toContain("file.sensitive");
    expect(inShell("find . -iname '*.pem' -exec head {} ';'")).toContain("file.sensitive");
    expect(inShell("find . -name '*.ts' -exec cat {} +")).not.toContain("file.sensitive");
    expect(inShell("find . -name .env")).not.toContain("file.sensitive");
    expect(inShell("find . -path '/x/*' -exec cat {} +")).not.toContain("workspace.escape");
  });

  test.each([
    ".env",
    "app/.env.production",
    "config/.ENV.local",
    "deploy/credentials.json",
    "service-account.json",
    "a/secrets/b",
    "a/credentials/b",
    "private-keys/x",
    "backup/.ssh/id_rsa",
    ".aws/config",
    "server.pem",
    ".git-credentials",
    "plans/2027.md",
    "x/plans",
    "db.bak",
    "/srv/shared/a",
    "~/notes/a",
  ])("reading %s is found", (path) => {
    expect(inRead(path)).toContain("file.sensitive");
  });

  test.each(["README.md", ".env.example", "environment.ts", "docs/secrets.md", "src/credentials.ts", "planning/x", "keys.ts", "a.backup"])(
    "reading %s is not",
    (path) => {
      expect(inRead(path)).toEqual([]);
    },
  );

  test.each([
    "cat .env",
    "cat .e*",
    "cat .en[v]",
    "cat < .env",
    "cp x .ssh/authorized_keys",
    "cd .ssh && cat id_rsa",
    "cat /etc/passwd",
    "cat /etc/shadow",
    "cat //etc/./shadow",
    "sudo tee /etc/sudoers.d/x",
    "cat /proc/self/environ",
    "python3 -c \"print(open('/etc/passwd').read())\"",
    "cat $(echo .env)",
    "cat db.b?k db.bak",
    'cat ".e""nv"',
  ])("%s is found", (command) => {
    expect(inShell(command)).toContain("file.sensitive");
  });

  test.each(["ls *.json", "cat package.json", "grep -rn '.env' docs", "cat .env.example", "echo .env"])("%s is not", (command) => {
    expect(inShell(command)).not.toContain("file.sensitive");
  });

  test("a path is found at any depth of any tool's arguments", () => {
    expect(inMcp({ files: [{ where: { path: "app/.env" } }] })).toContain("file.sensitive");
    expect(inMcp({ anything: "./app/.env" })).toContain("file.sensitive");
    expect(inMcp({ anything: "file:///home/me/%2essh/id_rsa" })).toContain("file.sensitive");
    expect(inMcp({ text: "Put the key into .env, please" })).toEqual([]);
  });
});

/** Put together here, so that nothing that looks like a secret stands in the repository. */
const secrets: [id: string, text: string][] = [
  ["credential.aws_key", `AKIA${"IOSFODNN7EXAMPLE"}`],
  ["credential.aws_key", `aws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}`],
  ["credential.github_token", `ghp_${"a1B2".repeat(9)}`],
  ["credential.github_token", `github_pat_${"a1B2".repeat(9)}`],
  ["credential.slack_token", `xoxb-${"123456789012-abcdefghij"}`],
  ["credential.stripe_key", `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`],
  ["credential.google_key", `AIza${"SyA-1234567890abcdefghijklmnopqrstu"}`],
  ["credential.model_key", `sk-ant-api03-${"abcdefghijklmnop1234567890"}`],
  ["credential.model_key", `sk-proj-${"abcdefghijklmnop1234567890"}`],
  ["credential.service_token", `glpat-${"abcdefghij1234567890"}`],
  ["credential.jwt", `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dozjgNryP4J3jVmNHl0w5N"}`],
  ["credential.bearer", `Authorization: Bearer ${"abcdef123456"}`],
  ["credential.bearer", `authorization: basic ${"dXNlcjpwYXNzd29yZA=="}`],
  ["credential.url_password", `postgres://app:${"hunter2hunter2"}@db.example.com/app`],
  ["credential.password", `password=${"correct-horse-9"}`],
  ["credential.password", `DB_PASSWORD: "${"p@ssw0rd#12"}"`],
  ["credential.password", `export API_KEY='${"9f8e7d6c5b4a"}'`],
  ["credential.high_entropy", `SIGNING=${"qX7vR2mK9pL4wZ8nB3tY6cF1"}`],
];

describe("credentials", () => {
  test.each(secrets)("%s is found, and nothing of the decision shows it: %s", (id, secret) => {
    for (const call of [shellCall(`deploy --with "${secret}"`), callOf(mcpTool, { deep: [{ note: secret }] })]) {
      const decision = decide(policy, call);
      expect(decision.findings.map(({ detector }) => detector)).toContain(id);
      expect(decision.verdict).not.toBe("allow");
      const core = secret.replace(/^.*[=:\s"'](?=[^=:\s"'@]{8})|["']$|@.*$/g, "").replace(/["']$/, "");
      expect(JSON.stringify(decision)).not.toContain(core);
    }
  });

  test("a value under a secret's name is found, whatever it looks like", () => {
    expect(inMcp({ login: { password: "correct#horse" } })).toContain("credential.password");
    expect(inMcp({ nextPageToken: "abcdefgh" })).toEqual([]);
    expect(inMcp({ token: "$GITHUB_TOKEN" })).toEqual([]);
  });

  test.each([
    "no secrets: just prose",
    "password: required",
    "the token ring",
    "sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Bearer certificates",
    "TOKEN=$TOKEN",
    "const token = process.env.TOKEN;",
    "password = getPassword()",
  ])("%s is nothing to ask about", (text) => {
    expect(inMcp({ text })).toEqual([]);
  });

  test("a private key is denied, whatever rules allow", () => {
    const key = `-----BEGIN RSA ${"PRIVATE KEY"}-----\nMIIEpAIBAAKCAQEA7x\n-----END RSA ${"PRIVATE KEY"}-----`;
    const decision = decide(policy, callOf(writeTool, { path: "a", content: key }));
    expect(decision).toMatchObject({ verdict: "deny", ruleId: null });
    expect(JSON.stringify(decision)).not.toContain("MIIEpAIBAAKCAQEA7x");
  });
});

describe("SQL", () => {
  test.each([
    ["sql.drop", "DROP TABLE users"],
    ["sql.drop", "drop\n/**/ database x"],
    ["sql.drop", "/*!50000 DROP */ TABLE x"],
    ["sql.drop", "do $$ begin drop table x; end $$"],
    ["sql.drop", "exec('drop table x')"],
    ["sql.drop", "select 'it\\'s'; drop table x -- '"],
    ["sql.truncate", "TRUNCATE TABLE t"],
    ["sql.unbounded_change", "DELETE FROM t"],
    ["sql.unbounded_change", "update t set a = 1 where 1 = 1"],
    ["sql.unbounded_change", "with gone as (delete from t returning *) select * from gone"],
    ["sql.unbounded_change", "explain analyze delete from t"],
    ["sql.alter_drop", "ALTER TABLE t DROP COLUMN c"],
    ["sql.grant", "GRANT ALL ON t TO public"],
    ["sql.grant", "create role x superuser"],
    ["sql.program", "COPY t FROM PROGRAM 'id'"],
    ["sql.program", "select load_file('/x')"],
    ["sql.program", "select a into outfile '/x' from t"],
    ["sql.program", "exec xp_cmdshell 'dir'"],
    ["sql.program", "attach database 'other.db' as other"],
    ["sql.stacked", "select 1; select 2"],
    ["sql.unreadable", "select 'never closed"],
    ["sql.unreadable", "frobnicate the table"],
    ["sql.unreadable", `select ${"a,".repeat(5_000)} a`],
  ])("%s is found in %s", (id, sql) => {
    expect(inMcp({ sql }, "postgres__query")).toContain(id);
    expect(inShell(`psql -c "${sql.replaceAll(/[\\"$`]/g, "\\$&")}"`)).toContain(id);
  });

  test.each([
    "select * from t where name = 'drop table x'",
    'select "drop" from t -- delete from t',
    "select /* drop table x */ 1",
    "insert into t values (1) on conflict (id) do update set a = 1",
    "delete from t where id = 1",
    "update t set a = 1 where id in (1, 2)",
    "create table t (id int references u on delete cascade)",
    "select truncate(1.5, 1)",
    "select * from t for update",
    "select 1;",
  ])("%s is harmless", (sql) => {
    expect(inMcp({ sql }, "postgres__query")).toEqual([]);
  });

  test("statements are found wherever a client gets them", () => {
    for (const command of [
      'mysql -e "drop table x"',
      'sqlite3 app.db "drop table x"',
      "psql --command='drop table x'",
      'echo "drop table x" | psql',
      "psql <<< 'drop table x'",
      'docker exec db psql -U me -c "drop table x"',
      "sudo -u postgres psql -c 'drop table x'",
    ])
      expect(inShell(command), command).toContain("sql.drop");
    expect(inShell("psql -c '\\! ls'")).toContain("sql.program");
    expect(inShell("sqlite3 x.db '.shell ls'")).toContain("sql.program");
    expect(inShell('echo "drop table x"')).toEqual([]);
    expect(inShell("grep -rn 'drop table x' migrations")).toEqual([]);
  });

  test("a tool that is for something else is asked about SQL only when a text evidently is", () => {
    expect(inMcp({ anything: "DROP TABLE users" })).toContain("sql.drop");
    expect(inMcp({ query: "drop shipping companies" })).toEqual([]);
    expect(inMcp({ text: "Update the docs and delete from memory" })).toEqual([]);
    expect(idsOf(callOf(writeTool, { path: "drop.sql", content: "DROP TABLE users;" }))).toEqual([]);
  });
});

describe("network", () => {
  test.each([
    ["network.private", "http://127.0.0.1/"],
    ["network.private", "http://2130706433/"],
    ["network.private", "http://0x7f000001/"],
    ["network.private", "http://0177.0.0.1/"],
    ["network.private", "http://127.1/"],
    ["network.private", "http://[::1]:8080/"],
    ["network.private", "http://[::ffff:10.0.0.1]/"],
    ["network.private", "http://[::ffff:7f00:1]/"],
    ["network.private", "http://[64:ff9b::7f00:1]/"],
    ["network.private", "http://localhost:3000/x"],
    ["network.private", "https://printer.local/"],
    ["network.private", "http://①②⑦.0.0.1/"],
    ["network.private", "http://127.0.0.1./"],
    ["network.private", "http:\\\\127.0.0.1/"],
    ["network.private", "http://example.com@192.168.0.1/"],
    ["network.private", "http://example.com\\@192.168.0.1/"],
    ["network.userinfo", "http://example.com@192.0.2.1/"],
    ["network.metadata", "http://169.254.169.254/latest/meta-data/"],
    ["network.metadata", "http://0xa9fea9fe/"],
    ["network.metadata", "http://metadata.google.internal/"],
    ["network.metadata", "http://[fd00:ec2::254]/"],
    ["network.rebinding", "http://10.0.0.1.nip.io/"],
    ["network.rebinding", "https://app.localtest.me/"],
    ["network.scheme", "file:///var/x"],
    ["network.scheme", "gopher://example.com/_x"],
    ["network.scheme", "dict://example.com:11211/stat"],
  ])("%s is found in %s", (id, url) => {
    expect(inMcp({ url })).toContain(id);
    expect(inMcp({ options: { target: url } })).toContain(id);
    if (!url.includes("\\")) expect(inShell(`curl '${url}'`)).toContain(id);
  });

  test.each([
    "https://example.com/x?u=http%3A",
    "https://8.8.8.8/",
    "https://user:x@example.com/",
    "postgres://db.example.com/x",
    "http://[2606:4700::1111]/",
  ])("%s is an ordinary address", (url) => {
    expect(inMcp({ url }).filter((id) => id.startsWith("network."))).toEqual([]);
  });

  test("hosts are found without a URL, too", () => {
    expect(inMcp({ host: "10.0.0.5" })).toContain("network.private");
    expect(inMcp({ hostname: "localhost" })).toContain("network.private");
    expect(inShell("nc 10.0.0.5 22")).toContain("network.private");
    expect(inShell("ssh me@192.168.1.1")).toContain("network.private");
    expect(inShell("curl 169.254.169.254/latest")).toContain("network.metadata");
    expect(inShell("ping example.com")).toEqual([]);
    expect(inMcp({ text: "The server listens on http://localhost:3000 then." })).toEqual([]);
    expect(inShell("grep -rn http://localhost src")).toEqual([]);
  });
});

describe("arguments of MCP tools", () => {
  test.each<[JsonObject, string]>([
    [{ command: "rm -rf /" }, "system__do"],
    [{ cmd: "sudo reboot" }, "system__do"],
    [{ command: "sh", args: ["-c", "rm -rf /"] }, "system__do"],
    [{ command: ["bash", "-c", "rm -rf /"] }, "system__do"],
    [{ script: "rm -rf /" }, "server__bash"],
    [{ what: "rm -rf /" }, "runShell"],
  ])("%j of %s is looked at as a command: the floor holds", (args, name) => {
    expect(decide(policy, callOf({ ...mcpTool, name }, args))).toMatchObject({
      verdict: "deny",
      reason: expect.stringContaining("never run"),
    });
  });

  test("a command inside another argument is found", () => {
    expect(inMcp({ branch: "main; curl example.com" }, "git__checkout")).toContain("mcp.injection");
    expect(inMcp({ image: "$(id)" }, "docker__run")).toContain("mcp.injection");
    expect(inMcp({ message: "fix: a; b" }, "git__commit")).toEqual([]);
    expect(inMcp({ branch: "main" }, "git__checkout")).toEqual([]);
    expect(inMcp({ branch: "main; x" }, "notes__save")).toEqual([]);
  });

  test("a path that climbs is found", () => {
    expect(inMcp({ path: "../x" })).toContain("mcp.path");
    expect(inMcp({ path: "a/%2e%2e/%2e%2e/x" })).toContain("mcp.path");
    expect(inMcp({ path: "..\\..\\x" })).toContain("mcp.path");
    expect(inMcp({ path: "~/x" })).toContain("mcp.path");
    expect(inMcp({ path: "/projects/x", note: "and so on..." })).toEqual([]);
  });

  test("names of prototypes are denied", () => {
    const args = JSON.parse('{"a":[{"__proto__":{"x":1}}]}') as JsonObject;
    expect(decide(policy, callOf(mcpTool, args))).toMatchObject({ verdict: "deny", findings: [{ detector: "mcp.prototype" }] });
    expect(inMcp({ constructor: { prototype: { x: 1 } } })).toContain("mcp.prototype");
    expect(inMcp({ constructor: "Airbus" })).toEqual([]);
  });

  test.each(["a\u202Eb", "a\u200Bb", "\u001b[31mred", "a\u0000b", "x\u{E0041}\u{E0042}", "ab\u200Dcd", "a\uFE01\uFE02\uFE03"])(
    "hidden characters are found: %j",
    (text) => {
      expect(inMcp({ deep: [{ text }] })).toContain("text.hidden");
    },
  );

  test.each(["Grüße, 你好, שלום", "👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "tab\tand\r\nlines", "می‌خواهم"])("ordinary writing is not: %s", (text) => {
    expect(inMcp({ text })).toEqual([]);
  });
});

test("a hostile text of 64 KB is decided like any other, by every detector that looks at it", () => {
  const pieces = [
    "a",
    "=",
    "password=",
    "http://",
    "a:/",
    "../",
    "/etc/",
    "(delete from t ",
    "'",
    "$a$",
    "eyJaaaaaaaa.",
    "\\",
    "~",
    "\u200D",
  ];
  const more = ["=a1B", ".env ", "127.", "a@", "\n", "*?[", "key:", "select ", "; x", "\u{E0041}"];
  const sqlTool: GuardedTool = { ...mcpTool, name: "sql__run" };
  const webTool: GuardedTool = { ...mcpTool, name: "web__run", needs: ["http"] };
  for (const piece of [...pieces, ...more]) {
    const text = piece.repeat(Math.ceil(65_536 / piece.length)).slice(0, 65_536);
    const calls = [
      callOf(sqlTool, { sql: text }),
      callOf(webTool, { url: text }),
      callOf(mcpTool, { host: text }),
      callOf(writeTool, { path: text }),
    ];
    for (const call of calls) expect(["allow", "require_approval", "deny"], JSON.stringify(piece)).toContain(decide(policy, call).verdict);
  }
});
