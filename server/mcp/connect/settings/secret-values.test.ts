import { expect, test } from "vitest";
import { isAppError } from "@/server/platform/errors";
import { childEnvironment } from "../program/child-environment";
import { maskValue, maskValues, resolveReferences, valuesToStore, withoutSecrets } from "./secret-values";

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing was refused";
}

test.each([
  ["ghp_0123456789abcdef", "gh***"],
  ["hunter2", "***"],
  ["", ""],
  ["$env:GITHUB_TOKEN", "$env:GITHUB_TOKEN"],
  ["Bearer ${GITHUB_TOKEN}", "Bearer ${GITHUB_TOKEN}"],
  ["user:hunter2@${HOST}", "us***"],
])("%s is shown as %s", (value, shown) => {
  expect(maskValue(value)).toBe(shown);
});

test("a masked value that comes back keeps the old one, and a new value replaces it", () => {
  const stored = { TOKEN: "ghp_0123456789abcdef", OTHER: "hunter2", GONE: "x" };
  const { GONE, ...sent } = maskValues(stored);
  expect(GONE).toBe("***");
  expect(valuesToStore("env", { ...sent, OTHER: "hunter3" }, stored, [])).toEqual({
    TOKEN: "ghp_0123456789abcdef",
    OTHER: "hunter3",
  });
});

test("a masked value under another name is refused, because the mask would become the secret", () => {
  expect(refusalOf(() => valuesToStore("env", { RENAMED: "gh***" }, { TOKEN: "ghp_0123456789abcdef" }, []))).toContain(
    "invalid: The settings are not valid: env.RENAMED is a masked value",
  );
});

test.each([
  ["env", { A: "$env:DATABASE_URL" }, "env.A refers to DATABASE_URL"],
  ["env", { A: "x${HANDRAIL_SECRET_KEY}y" }, "env.A refers to HANDRAIL_SECRET_KEY"],
  ["headers", { "x-a": "${NEXTAUTH_SECRET}" }, "headers.x-a refers to NEXTAUTH_SECRET"],
  ["env", { "A=B": "c" }, "is not a name"],
  ["env", { A: "a\u0000b" }, "cannot be sent"],
  ["headers", { "x-a": "a\r\nx-b: c" }, "cannot be sent"],
  ["headers", { "x a": "b" }, "is not a name"],
] as const)("%s with %j is refused", (place, values, sentence) => {
  expect(refusalOf(() => valuesToStore(place, values, {}, ["DATABASE_URL"]))).toContain(sentence);
});

test("references are filled in from the environment, and one that is not set is named", () => {
  const values = { A: "Bearer ${TOKEN}", B: "$env:HOST:8080", C: "as it is" };
  expect(resolveReferences("headers", values, { TOKEN: "t$&", HOST: "h" }, ["TOKEN", "HOST"])).toEqual({
    A: "Bearer t$&",
    B: "h:8080",
    C: "as it is",
  });
  expect(refusalOf(() => resolveReferences("headers", values, { TOKEN: "t", HOST: "" }, ["TOKEN", "HOST"]))).toBe(
    "invalid: headers.B refers to the environment variable HOST, which is not set where Handrail runs.",
  );
});

test("our own secrets are not filled in even when a row says so", () => {
  expect(
    refusalOf(() => resolveReferences("env", { A: "$env:DATABASE_URL" }, { DATABASE_URL: "postgres://" }, ["DATABASE_URL"])),
  ).toContain("belongs to Handrail");
});

test("only listed variables, and those that begin with MCP_, are given; another one is refused with the way to allow it", () => {
  const variables = { AWS_SECRET_ACCESS_KEY: "s", GITHUB_TOKEN: "g", MCP_TOKEN: "m" };
  const values = { A: "$env:GITHUB_TOKEN", B: "${MCP_TOKEN}" };
  expect(resolveReferences("env", values, variables, ["GITHUB_TOKEN"])).toEqual({ A: "g", B: "m" });
  const sentence =
    "headers.x-a refers to AWS_SECRET_ACCESS_KEY, which MCP servers are not given. Start Handrail with HANDRAIL_MCP_VARIABLES=AWS_SECRET_ACCESS_KEY (with a comma between two), or give the variable a name that begins with MCP_";
  const leak = { "x-a": "$env:AWS_SECRET_ACCESS_KEY" };
  expect(refusalOf(() => valuesToStore("headers", leak, {}, ["GITHUB_TOKEN"]))).toBe(`invalid: The settings are not valid: ${sentence}`);
  expect(refusalOf(() => resolveReferences("headers", leak, variables, ["GITHUB_TOKEN"]))).toBe(`invalid: ${sentence}.`);
});

test("a reference that was stored before the list changed may stay, so that its server can be switched off", () => {
  const before = { A: "$env:OLD_TOKEN" };
  expect(valuesToStore("env", before, before, [])).toEqual(before);
});

test("PATH of a server has neither Handrail's own packages nor what npm puts in front", () => {
  const ours = [
    `${process.cwd()}/node_modules/.bin`,
    "/home/a/node_modules/.bin",
    "/usr/lib/node_modules/npm/node_modules/@npmcli/run-script",
    "/usr/bin",
  ];
  expect(childEnvironment({}, { PATH: ours.join(":") })).toEqual({ PATH: "/usr/bin" });
});

test("a server's process gets the allowlist and its own settings and nothing else", () => {
  const ours = { PATH: "/bin", HOME: "/root", DATABASE_URL: "postgres://", HANDRAIL_SECRET_KEY: "k", AWS_SECRET_ACCESS_KEY: "s" };
  expect(childEnvironment({ API_KEY: "x", HOME: "/srv" }, ours)).toEqual({ PATH: "/bin", HOME: "/srv", API_KEY: "x" });
});

test("a server's output is shown without its secrets", () => {
  expect(withoutSecrets("key sk-12345678 refused (sk-1234)", ["sk-1234", "sk-12345678", "x"])).toBe("key *** refused (***)");
});
