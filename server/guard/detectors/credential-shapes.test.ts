import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "@/contracts/common";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { maskInText, maskSecrets } from "@/server/secrets/mask-secrets";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";

const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";
const random = "q7Zr2Kp9Xw4Lm8Vt3Bn6Yc1Hd5Jf0Gs";
const policy = policyOfRules([{ verdict: "allow" }]);
const foundIn = (args: JsonObject) => decide(policy, buildRequest(mcpTool, args), 0).findings.map(({ detector }) => detector);

describe("a secret in a text", () => {
  test.each<readonly [secret: string, text: string]>([
    ["hunter2-x", "curl -u ada:hunter2-x https://example.com"],
    ["hunter2-x", "curl -sSu 'ada:hunter2-x' https://example.com"],
    ["hunter2-x", "curl --user=ada:hunter2-x https://example.com"],
    ["hunter2-x", "curl -x proxy --proxy-user ada:hunter2-x https://example.com"],
    ["hunter2", "DB_PASS=hunter2 ./deploy"],
    ["pw", "export DB_PASS=pw"],
    ["hunter2", "redis://:hunter2@cache.example/0"],
    ["hunter2", "psql postgres://ada:hunter2@db.example.com/shop"],
    ["hunter2", "postgres:/ada:hunter2@localhost/shop"],
    ["hunt@er2", "postgres://ada:hunt@er2@db/shop"],
    ["hunter2,#^", "postgres://ada:hunter2,#^@db/shop"],
    [hex.slice(0, 32), `twilio AC${hex.slice(32)} ${hex.slice(0, 32)}`],
    ["hunter2", "amqp://ada%40x:hunter2@queue.example"],
    [`x${random}`, `git clone https://x${random}@github.com/a/b`],
    [`x${random}`, `git clone https://x${random}:x-oauth-basic@github.com/a/b`],
    ["hunter2", "mysql -phunter2 -u root shop"],
    ["hunter2", "mysqldump -u root -p'hunter2' shop"],
    ["hunter2", "mariadb -phunter2"],
    ["hunter2", "sshpass -p hunter2 ssh me@example.com"],
    ["hunter2", "redis-cli -a hunter2 ping"],
    ["hunter2", "docker login -u me -p hunter2 registry.example"],
    ["hunter2", "tool --password hunter2"],
    ["hunter2", "tool --pass hunter2"],
    ["hunter2", "mysql\t-phunter2"],
    ["xoxb-hunterhunt", "xoxb-hunterhunt"],
    ["hunter2x", "tool --api-key hunter2x"],
    ...["hvs.", "hvb.", "gsk_", "xai-", "ATATT3x", "lin_api_", "dckr_pat_", "glrt-", "sntrys_", "rubygems_", "tskey-", "nvapi-"].map(
      (start) => [`${start}${random}`, `use ${start}${random} for it`] as const,
    ),
    ...[
      `csk-${"a1".repeat(24)}`,
      `fw_${random.slice(0, 24)}`,
      ...["tgp_v1_", "lsv2_pt_", "lsv2_sk_", "pcsk_", "tvly-dev-", "crsr_", "e2b_", "vck_", "vcp_", "nfp_", "rnd_", "cfut_"].map(
        (start) => start + random,
      ),
      ...[
        "sb_secret_",
        "napi_",
        "pscale_tkn_",
        "pscale_pw_",
        "glcbt-",
        "glft-",
        "phx_",
        "ddp_",
        "bkua_",
        "CCIPAT_",
        "HRKU-",
        "ops_eyJ",
      ].map((start) => start + random),
      `fc-${hex.slice(0, 32)}`,
      `sk_${hex.slice(0, 48)}`,
      `dapi${hex.slice(0, 32)}-2`,
      `key-${hex.slice(0, 32)}`,
      `SK${hex.slice(0, 32)}`,
      `secret_${random}${random.slice(0, 12)}`,
      `ntn_${random}${random.slice(0, 14)}`,
      `fo1_${random}${random.slice(0, 12)}`,
      `fm2_${random}+/${random}`,
      `fm1r_${random}${random}`,
      `re_aB3dE6gH_${random.slice(0, 24)}`,
      `ABSKQmVkcm9ja0FQSUtleS${random}`,
      `AQ.Ab8${random}${random}`,
      `EAAA${random}${random}`,
      `abc8Q~${random}abcd`,
      `abcdefghijklmn.atlasv1.${random}${random}`,
      `pataB3dE6gH9jK2mN.${hex}`,
      `MTAwMDAwMDAwMDAwMDAwMDAw.Gabcde.${random}`,
      `1234567890:AA${random}xy`,
      `eyJhbGciOiJSU0EtT0FFUCJ9.${random}.${random}.${random}.${random}`,
      `eyJhbGciOiJkaXIifQ..${random}.${random}.${random}`,
    ].map((secret) => [secret, `use ${secret} for it`] as const),
  ])("%s is masked, and asked about: %s", (secret, text) => {
    expect(maskInText(text)).not.toContain(secret);
    expect(maskInText(text)).toContain("***");
    expect(decide(policy, shellCall(text), 0).findings.map(({ detector }) => detector)).toContainEqual(
      expect.stringMatching(/^credential\./),
    );
  });

  test.each([
    "docker run -u 1000:1000 curlimages/curl https://example.com",
    "docker run -d -p3306:3306 mysql:8",
    "mkdir -p mysql/data",
    "curl -u $USER:$PASSWORD https://example.com",
    "curl -u ada: https://example.com",
    "git clone ssh://git@example.com/a.git",
    "git clone https://example.com/someone@somewhere",
    "compass=north bypass=true pass=true",
    "tests: pass: 12 fail: 3",
    "gcloud secrets versions access latest --secret my-secret",
    "docker login --password-stdin registry.example",
    "tool --token --verbose",
    "tool --token $TOKEN",
    "hvs. and xai- are what they begin with",
    "napi_get_value_bigint_uint64 and napi_create_string_utf8_with_length",
    "rnd_state_of_the_generator_0123456789 fw_version_number_of_device_12",
    "re_compile_pattern_and_run_2 key-0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f",
    "MAAAAAAAAAAAAAAAAAAAAAAAA.module.ts EAAgames tvly- pattern12345678901.abc",
    "12:34:56:AA:BB:CC:DD and 2026-11-22T10:00:00Z",
    "az login -p",
    "API_KEY=test npm test",
    "API_KEY=changeme SECRET_KEY=xxxx ./run",
    "echo password=example token=<token>",
    "sshpass -p test ssh me@example.com",
    `twilio accounts get AC${hex.slice(0, 32)}`,
    `git show ${hex.slice(0, 40)} and secret_access_key_of_the_account`,
  ])("there is none in what is ordinary: %s", (text) => {
    expect(maskInText(text)).toBe(text);
    expect(foundIn({ text })).toEqual([]);
  });
});

describe("a secret among arguments", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  test.each<[Json, JsonObject]>([
    [token, { headers: { [`x-${token}`]: "1" } }],
    [token, { headers: [{ [token]: 5 }] }],
    ["dXNlcjpwdw", { headers: { authorization: "Basic dXNlcjpwdw" } }],
    ["abc123def", { headers: [{ name: "Authorization", value: "abc123def" }] }],
    ["abc123def", { env: [{ key: "DB_PASSWORD", value: "abc123def" }] }],
    ["abc123def", { headers: [{ name: "Authorization", value: "Digest abc123def" }] }],
    ["abc123def", { pwd: "abc123def" }],
    ["abc123def", { signingKey: "abc123def" }],
  ])("%s is masked in what is kept, and asked about: %j", (secret, args) => {
    expect(JSON.stringify(maskedArguments(args))).not.toContain(secret);
    expect(JSON.stringify(maskSecrets(args))).toContain("***");
    expect(foundIn(args)).toContainEqual(expect.stringMatching(/^credential\./));
  });
  test("is masked behind the option that it is for", () => {
    expect(maskedArguments({ args: ["--password", "correct", "--name", "horse"] })).toEqual({
      args: ["--password", "***", "--name", "horse"],
    });
  });
  test("does not push another one out that looks the same once it is masked", () => {
    const other = `ghp_${"a1B3".repeat(8)}a1B2`;
    expect(Object.keys(maskSecrets({ [token]: 1, [other]: 2 }) as JsonObject)).toEqual(["gh***B2", "gh***B2 (2)"]);
  });
  test.each<JsonObject>([
    { pwd: "/home/me", PWD: "./a" },
    {
      items: [
        { name: "title", value: "abc123def" },
        { name: "tokens", value: 5 },
      ],
    },
    { list: ["--name", "token", "secret"] },
    { "a-long-name-of-an-ordinary-setting": "x" },
  ])("is none in what is ordinary: %j", (args) => {
    expect(maskedArguments(args)).toBe(args);
    expect(foundIn(args)).toEqual([]);
  });
});

test.each([
  "curl -u a:",
  "mysql -p",
  "login -p ",
  "--a-password ",
  "--",
  "://a:",
  "pass=",
  "hvs.",
  "--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
])("64 KB of %j are looked through in time that grows with the text and never faster", (piece) => {
  // Quadratic time would exceed the time limit of a test.
  expect(maskInText(piece.repeat(65_536 / piece.length)).length).toBeGreaterThan(0);
});

test.each(examples`
  export DATABASE_URL=postgres://app:app@db/app ¦ psql postgres://postgres:postgres@localhost:5432/app
  psql postgres://postgres:password@127.0.0.1/app ¦ psql postgres://app:changeme@db.example.com/app
`)("nobody is asked about the password of %s", (text) => expect(foundIn({ text })).toEqual([]));

test.each(["changeme", "test-token", "example", "your-api-key", "${API_KEY}"])(
  "nobody is asked about the value %s of a secret's name",
  (value) => {
    expect(foundIn({ api_key: value })).toEqual([]);
  },
);
