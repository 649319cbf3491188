import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { cureSentence, findCures } from "./find-cures";

const program = {
  home: "/data/mcp/one",
  visible: [],
  allowedHosts: ["db.example.com:5432"],
  command: "node",
  settings: ["postgres://u:p@orders.internal:6543/shop"],
};
const hostsIn = (text: string) => findCures(text, program).flatMap((cure) => (cure.kind === "reach" ? [cure.host] : []));

describe("a port that the sandbox keeps from a program is read from the words of", () => {
  test.each([
    ["Node", "Error: connect ECONNREFUSED 127.0.0.1:6379", "localhost:6379"],
    ["Go", "dial tcp 10.0.0.5:3306: connect: connection refused", "10.0.0.5:3306"],
    ["Python", "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.", "localhost:6379"],
    ["libpq", 'connection to server at "127.0.0.1", port 5432 failed: Connection refused', "localhost:5432"],
    ["MySQL", "Can't connect to MySQL server on 'mysql.internal:3306' (111)", "mysql.internal:3306"],
    [
      "our proxy",
      "shop.example.com:8443 is not among the hosts of this call. Add it to the allowed hosts of this MCP server.",
      "shop.example.com:8443",
    ],
  ])("%s", (_of, words, host) => {
    expect(hostsIn(words)).toEqual([host]);
  });

  test("a name that is unknown there, with the port that the settings name", () => {
    expect(hostsIn("Error: getaddrinfo EAI_AGAIN orders.internal")).toEqual(["orders.internal:6543"]);
    expect(hostsIn("Error: getaddrinfo ENOTFOUND elsewhere.internal"), "nothing says its port").toEqual([]);
  });
});

test("a failure that names no place is about the places of this machine that the settings name", () => {
  const settings = ["redis://localhost:6380", "--url=http://127.0.0.1:8081/mcp", "https://example.com:8443", "see localhost:6380"];
  const of = (text: string, allowedHosts: string[] = []) =>
    findCures(text, { ...program, settings, allowedHosts }).flatMap((cure) => (cure.kind === "reach" ? [cure.host] : []));
  expect(of("[Redis Error] Stack: AggregateError [ECONNREFUSED]:")).toEqual(["localhost:6380", "localhost:8081"]);
  expect(of("Redis Client Error:\n", ["localhost:8081", "127.0.0.1:8081"])).toEqual(["localhost:6380"]);
  expect(of("connect ECONNREFUSED 127.0.0.1:9"), "the words come first").toEqual(["localhost:9"]);
  expect(of("Usage: server <url>")).toEqual([]);
});

test("what the settings allow, and words about no failure, are no cure", () => {
  expect(hostsIn("connect ECONNREFUSED db.example.com:5432")).toEqual([]);
  expect(hostsIn("connect ECONNREFUSED 169.254.169.254:80"), "nor what nobody can allow").toEqual([]);
  expect(findCures("listening on 127.0.0.1:6379\nreading /etc/hostname", program)).toEqual([]);
  expect(findCures("ENOENT: no such file or directory, open '/nowhere/at/all'", program), "nor what is not there").toEqual([]);
});

test("a file of the program's own home is none that the sandbox hides, also when the user has one of that name", async () => {
  const [own, users] = [await mkdtemp(path.join(tmpdir(), "own-")), await mkdtemp(path.join(tmpdir(), "users-"))];
  onTestFinished(() => Promise.all([own, users].map((folder) => rm(folder, { recursive: true }))).then(() => {}));
  vi.stubEnv("HOME", users);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const file of [path.join(own, "index.js"), path.join(users, "index.js"), path.join(users, ".npmrc")]) await writeFile(file, "");
  const cures = (file: string) => findCures(`Cannot find module './x' imported from ${own}/${file}`, { ...program, home: own });
  expect(cures("index.js")).toEqual([]);
  expect(cures(".npmrc")).toEqual([{ kind: "read", path: "~/.npmrc", namedBy: "output" }]);
});

describe("a path that a program prints", () => {
  async function home(...files: string[]) {
    const users = await mkdtemp(path.join(tmpdir(), "users-"));
    onTestFinished(() => rm(users, { recursive: true }).then(() => {}));
    vi.stubEnv("HOME", users);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const file of files) {
      await mkdir(path.dirname(path.join(users, file)), { recursive: true });
      await writeFile(path.join(users, file), "");
    }
    return users;
  }
  const printed = (file: string, settings: string[] = []) =>
    findCures(`Error: ENOENT: no such file or directory, open '${file}'`, { ...program, settings });

  test.each([".kube/config", ".npmrc", "notes/one.md", ".gitconfig"])("is offered with its source: ~/%s", async (file) => {
    const users = await home(file);
    const offered = { kind: "read", path: `~/${file}` };
    expect(printed(path.join(users, file))).toEqual([{ ...offered, namedBy: "output" }]);
    for (const settings of [`--config=~/${file}`, `CONFIG=${users}/${file}`])
      expect(printed(path.join(users, file), [settings]), settings).toEqual([offered]);
  });

  test.each([
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".bashrc",
    ".zshenv",
    ".profile",
    ".bash_history",
    ".gnupg/secring.gpg",
    ".config/gcloud/credentials.db",
    ".config/google-chrome/Default/Cookies",
    ".local/share/keyrings/login.keyring",
    "Library/Keychains/login.keychain-db",
    "project/.env",
  ])("is not offered where it holds secrets: ~/%s", async (file) => {
    const users = await home(file);
    expect(printed(path.join(users, file))).toEqual([]);
    for (const above of [".ssh", ".config", ".local"]) expect(printed(path.join(users, above))).toEqual([]);
    expect(printed(path.join(users, file), [`--file=~/${file}`]), "unless the settings name it").toEqual([
      { kind: "read", path: `~/${file}` },
    ]);
  });

  test("is not offered where it leads to secrets", async () => {
    const users = await home(".ssh/id_ed25519");
    await symlink(path.join(users, ".ssh"), path.join(users, "notes"));
    expect(printed(path.join(users, "notes"))).toEqual([]);
  });

  test("keys of a cloud are offered only to a program whose settings say that it works there", async () => {
    await home(".aws/credentials", ".config/gcloud/credentials.db");
    const of = (text: string, settings: string[]) => findCures(text, { ...program, settings });
    expect(of("Unable to locate credentials", ["-y", "weather-mcp"])).toEqual([]);
    expect(of("Unable to locate credentials", ["AWS_REGION=eu-west-1"])).toEqual([{ kind: "read", path: "~/.aws" }]);
    expect(of("Could not load the default credentials", ["weather-mcp"])).toEqual([]);
    expect(of("Could not load the default credentials", ["bigquery-mcp"])).toEqual([{ kind: "read", path: "~/.config/gcloud" }]);
  });
});

test("settings of a package manager are a cure of its own starts only, and none beside the cause that its words name", async () => {
  const users = await mkdtemp(path.join(tmpdir(), "users-"));
  onTestFinished(() => rm(users, { recursive: true }).then(() => {}));
  vi.stubEnv("HOME", users);
  onTestFinished(() => void vi.unstubAllEnvs());
  await mkdir(path.join(users, ".config/pip"), { recursive: true });
  for (const file of [".npmrc", ".netrc", ".config/pip/pip.conf"]) await writeFile(path.join(users, file), "");
  const of = (command: string, text: string) => findCures(text, { ...program, command });
  const npmrc = { kind: "read", path: "~/.npmrc" };
  const refused = { kind: "reach", host: "registry.internal:4873" };
  expect(of("npx", "npm error code E403\nnpm error registry.internal:4873 is not among the hosts of this call.")).toEqual([refused]);
  expect(of("npx", "npm error code E403")).toEqual([npmrc]);
  expect(of("npx", "npm error code E401\nregistry.internal:4873 is not among the hosts of this call.")).toEqual([refused, npmrc]);
  expect(of("npx", "Error: 403 Forbidden"), "words of the server itself").toEqual([]);
  expect(of("uvx", "error: 403 Forbidden")).toEqual([
    { kind: "read", path: "~/.config/pip/pip.conf" },
    { kind: "read", path: "~/.netrc" },
  ]);
});

test("cures are one sentence, and none is no sentence", () => {
  const cures = [
    { kind: "read" as const, path: "~/.npmrc" },
    { kind: "reach" as const, host: "db:5432" },
  ];
  expect(cureSentence(cures)).toBe(
    "The sandbox does not show it ~/.npmrc, and does not let it reach db:5432. An admin can allow that in the server's settings.",
  );
  expect(cureSentence([])).toBe("");
  expect(cureSentence([{ kind: "read", path: "~/notes", namedBy: "output" }])).toBe(
    "The sandbox does not show it ~/notes. An admin can allow that in the server's settings. The server's own output names ~/notes, not its settings: allow only what you expect it to read.",
  );
});
