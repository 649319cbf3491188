import { expect, test } from "vitest";
import { maskSecrets } from "./mask-secrets";

test.each([
  ["an AWS key in a command", "export KEY=AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"],
  ["a GitHub token in a URL", `https://${"ghp_"}${"a".repeat(36)}@github.com`, "a".repeat(36)],
  ["a password in a connection string", "postgres://app:hunter2hunter2@db/app", "hunter2hunter2"],
  ["a bearer token in a header", "curl -H 'Authorization: Bearer abcdef123456'", "abcdef123456"],
  ["an agent key of ours", `hr_${"x".repeat(43)}`, "x".repeat(43)],
])("%s is masked and the rest stays readable", (_title, text, secret) => {
  const masked = maskSecrets({ command: text }) as { command: string };
  expect(masked.command).not.toContain(secret);
  expect(masked.command).toContain("***");
});

test("a value under a secret-sounding name is masked whatever it looks like", () => {
  expect(maskSecrets({ env: { DB_PASSWORD: "correct horse battery", HOME: "/home/me" }, apiKey: "x" })).toEqual({
    env: { DB_PASSWORD: "co***ry", HOME: "/home/me" },
    apiKey: "***",
  });
});

test("ordinary arguments are left exactly as they are", () => {
  const value = { path: "notes/token-ring.md", lines: [1, 2, null, true], text: "no secrets: just prose" };
  expect(maskSecrets(value)).toEqual(value);
});
