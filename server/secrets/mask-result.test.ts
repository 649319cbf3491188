import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { ResultMask } from "./mask-result";

const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const random = "q7Zr2Kp9Xw4Lm8Vt3Bn6Yc1Hd5Jf0Gs";

async function masked(text: string) {
  const mask = new ResultMask();
  return { text: await mask.maskText(text), count: mask.count };
}

/** Tokens with an issuer's format, assembled here because secret scanners report whole tokens as leaks. */
const tokens = [
  `AKIA${"Q7ZR2KP9XW4LM8VT"}`,
  ...["ghp_", "gho_", "ghs_"].map((start) => `${start}${random}aB12cD`),
  `github_pat_${random}`,
  ...["xoxb-", "xapp-", "sk_live_", "rk_live_", "whsec_", "sk-", "sk-ant-api03-", "sk-proj-", "hr_", "glpat-", "npm_", "hf_"].map(
    (start) => `${start}${random}x`,
  ),
  ...["pypi-", "dckr_pat_", "hvs.", "gsk_", "xai-", "r8_", "pplx-", "nvapi-", "tvly-", "lin_api_", "sntrys_", "dop_v1_"].map(
    (start) => `${start}${random}`,
  ),
  ...["shpat_", "glsa_", "NRAK-", "figd_", "PMAK-", "tskey-", "pul-", "sbp_", "pscale_pw_", "rubygems_", "ATATT3x"].map(
    (start) => `${start}${random}`,
  ),
  `AIza${random}abcd`,
  `ya29.${random}`,
  `GOCSPX-${random}`,
  `SG.${random}.${random}`,
  `eyJ${random}.${random}.${random}`,
  `SK${hex.slice(0, 32)}`,
  `secret_${random}${random.slice(0, 12)}`,
  `fo1_${random}${random.slice(0, 12)}`,
  `dapi${hex.slice(0, 32)}`,
  `123456789:AA${random}ab`,
];

const places: [where: string, around: (secret: string) => string][] = [
  ["a sentence", (secret) => `use ${secret} for it`],
  ["an environment", (secret) => `HOME=/root\nAPI_TOKEN=${secret}\nPATH=/bin`],
  ["JSON", (secret) => JSON.stringify({ data: { value: secret } })],
  ["JSON in JSON", (secret) => JSON.stringify(JSON.stringify({ token: secret }))],
  ["a numbered line", (secret) => `a.ts: lines 1 to 1 of 1.\n1\tconst key = "${secret}";\n`],
  ["a header", (secret) => `> Authorization: Bearer ${secret}\r\n< HTTP/2 200`],
];

describe.each(places)("a token in %s is masked", (_where, around) => {
  test.each(tokens)("%s", async (secret) => {
    const { text, count } = await masked(around(secret));
    expect(text).not.toContain(secret);
    expect(text).toBe(around(`${secret.slice(0, 2)}***${secret.slice(-2)}`));
    expect(count).toBe(1);
  });
});

test.each([
  ["hunter2-x", "DATABASE_URL=postgres://app:hunter2-x@db.example.com/shop"],
  ["hunter2-x", "remote: https://ada:hunter2-x@git.example.com/a.git"],
  ["hunter2", "MYSQL_PASSWORD=hunter2"],
  ["hunter", "export DB_PASSWORD=hunter"],
  ["correct-horse", 'REDIS_PASSWORD="correct-horse"'],
  ["hunter22", "  password: hunter22"],
  ["hunter2!", '{"db_password": "hunter2!"}'],
  ["hunter2!", '"text":"{\\"password\\":\\"hunter2!\\"}"'],
  [random, `aws_secret_access_key = ${random}`],
  [random, `clientSecret: '${random}'`],
  [`${random}Zz`, `Set-Cookie: session=${random}Zz; Path=/`],
  [`${random}Zz`, `ENCRYPTION_KEY=${random}Zz`],
  ["aGVsbG86d29ybGQx", "authorization: Basic aGVsbG86d29ybGQx"],
  ["hunter22", "sshpass -p hunter22 ssh me@example.com"],
])("%s is masked in %s", async (secret, text) => {
  expect((await masked(text)).text).not.toContain(secret);
});

describe("a private key is masked", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
  const key = ["-----BEGIN PRIVATE KEY-----", line, line, "-----END PRIVATE KEY-----"];
  test.each([
    ["as it stands", key.join("\n")],
    ["with numbered lines", key.map((part, index) => `${index + 1}\t${part}`).join("\n")],
    ["in a diff", key.map((part) => `+${part}`).join("\n")],
    ["in JSON", JSON.stringify({ key: key.join("\n") })],
    ["with headers", [key[0], "Proc-Type: 4,ENCRYPTED", "", line, key[3]].join("\n")],
  ])("%s", async (_how, text) => {
    expect((await masked(text)).text).not.toContain(line.slice(4, 40));
  });

  test("across the pieces of a long text, and nothing behind it", async () => {
    const hash = "a".repeat(20) + hex;
    const text = `${`${"x".repeat(99)}\n`.repeat(327)}-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(1_000)}-----END PRIVATE KEY-----\n${hash}\n`;
    const result = (await masked(text)).text;
    expect(result).not.toContain(line.slice(4, 40));
    expect(result).toContain(hash);
  });
});

test("a secret in the middle of a long text is found, wherever the pieces end", async () => {
  for (const filler of ["word ", "line of a log\n", "[1,2],"]) {
    for (const shift of [0, 1, 7, 20]) {
      const secret = `ghp_${random}aB12cD`;
      const text = `${filler.repeat(Math.ceil((1_048_576 - 20) / filler.length) + shift)}${secret} ${filler.repeat(1_000)}`;
      expect((await masked(text)).text.includes(secret)).toBe(false);
    }
  }
});

test("a secret that its name gave away is masked where it stands without one, too, and counted once", async () => {
  const secret = `${random}Zz`;
  const { text, count } = await masked(`API_TOKEN=${secret}\nsent ${secret} twice\n`);
  expect(text).toBe("API_TOKEN=q7***Zz\nsent q7***Zz twice\n");
  expect(count).toBe(1);
});

describe("what is no secret stays as it is:", () => {
  test.each([
    ["hashes of a lock file", '"integrity": "sha512-uMHhvmDmwFiLuiozaoRYTZHqMFuu3fem1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX3yZ4=="'],
    ["a version", '"jsonwebtoken": "^9.0.10",\n"@inquirer/password": "^5.3.0"'],
    ["a commit", `commit ${hex.slice(0, 40)}\nAuthor: Ada <ada@example.com>`],
    ["a UUID", '"token_id": "0199aa00-0000-7000-8000-000000000000"'],
    [
      "code that reads a secret",
      "const token = request.headers.token2;\nconst password = await hash2(password1);\npassword: z.string().min(8),",
    ],
    ["code that names an algorithm", "const secret = sha256;\ntoken: HS256"],
    ["a page token", '{"nextPageToken": "CAUQAA8xYz1234", "continuation_token": "abc123def456"}'],
    ["a count of tokens", '"max_tokens": 128000, "token": 42, tokens=12345678'],
    ["a placeholder", "password: changeme\ntoken: <your-token>\nAPI_KEY=${API_KEY}\nSECRET=your-secret-here"],
    ["an address of an example", "postgres://user:password@db.example.com/app and postgres://postgres:postgres@localhost"],
    ["a path", "SSL_PRIVATE_KEY=/etc/ssl/key1.pem\nsecret: ./secrets/prod1.json\nPASSWORD_FILE=/run/secrets/db1"],
    ["a user of a system", "passwd: root:x:0:0:root:/root:/bin/sh"],
    ["a public key", `public_key = "${random}${random}"`],
    ["options of a program", "find . -print0 | xargs -0 grep -p4 and mysql -p3306"],
    [
      "a marker of a key in a program",
      'const marker = "-----BEGIN PRIVATE KEY-----";\nconst aVeryLongNameOfAVariableThatIsNoKeyAtAll = 1;',
    ],
  ])("%s", async (_what, text) => {
    expect(await masked(text)).toEqual({ text, count: 0 });
  });

  test("the lock file and the API's own description of this product", async () => {
    for (const file of ["package-lock.json", "public/openapi.json"]) {
      const text = readFileSync(file, "utf8");
      expect(text.length).toBeGreaterThan(100_000);
      expect((await masked(text)).count).toBe(0);
    }
  });
});

test("structured content is masked by names and by looks, and keeps its shape", async () => {
  const value: JsonObject = {
    user: "ada",
    password: "hunter2!",
    nested: [{ env: { API_TOKEN: `tok-${random}`, LEVEL: "3" } }, `ghp_${random}aB12cD`],
    nextPageToken: "CAUQAA8xYz1234",
    count: 3,
  };
  const mask = new ResultMask();
  expect(await mask.maskValue(value)).toEqual({
    user: "ada",
    password: "***",
    nested: [{ env: { API_TOKEN: "to***Gs", LEVEL: "3" } }, "gh***cD"],
    nextPageToken: "CAUQAA8xYz1234",
    count: 3,
  });
  expect(mask.count).toBe(3);
});
