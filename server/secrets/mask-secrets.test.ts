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
  expect(maskSecrets({ env: { DB_PASSWORD: "correct-horse-battery", HOME: "/home/me" }, apiKey: "x" })).toEqual({
    env: { DB_PASSWORD: "co***ry", HOME: "/home/me" },
    apiKey: "***",
  });
});

test("ordinary arguments are left exactly as they are", () => {
  const value = { path: "notes/token-ring.md", lines: [1, 2, null, true], text: "no secrets: just prose" };
  expect(maskSecrets(value)).toEqual(value);
});

test("a private key is masked line by line", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
  const masked = maskSecrets(`-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n-----END PRIVATE KEY-----`);
  expect(masked).toBe("-----BEGIN PRIVATE KEY-----\nMI***C7\nMI***C7\n-----END PRIVATE KEY-----");
});

test.each([
  [": '-----BEGIN PRIVATE KEY-----'; echo PWNED > pwned.txt; :"],
  ["cat <<E\n-----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----\nE"],
  ["echo token=a;echo${IFS}PWNED>x;echo${IFS}ok"],
  ["echo password=$(reboot)"],
  ["curl -H 'Authorization: Bearer '`reboot`"],
  ["cat Bearer /etc/shadow"],
  ["wget http://a:;reboot;@host"],
])("nothing that a command does hides behind a mask: %s", (command) => {
  expect(maskSecrets({ command })).toEqual({ command });
});

test("a command under a secret-sounding name stays readable", () => {
  const value = { token: "rm -rf / everything", secret: "rm$IFS-rf$IFS/", password: "a;reboot" };
  expect(maskSecrets(value)).toEqual(value);
});
