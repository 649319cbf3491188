import { expect, test } from "vitest";
import { issuerTokens } from "./issuer-tokens";
import { ResultMask } from "./mask-result";
import { maskInText } from "./mask-secrets";
import { mayHoldSecret } from "./secret-shapes";

const hex = "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(5);
const letters = "q7Zr2Kp9Xw4Lm8Vt3Bn6Yc1Hd5Jf0Gs".repeat(3);
const small = letters.toLowerCase();
const large = letters.toUpperCase();
const uuid = "0199aa00-0000-7000-8000-0000000000ab";

/** A token of each issuer, assembled here because secret scanners report whole tokens as leaks. */
const tokens = [
  `A3-${large.slice(0, 6)}-${large.slice(0, 11)}-${large.slice(0, 5)}-${large.slice(5, 10)}-${large.slice(10, 15)}`,
  `AKCp${letters.slice(0, 69)}`,
  `cmVmdGtu${letters.slice(0, 56)}`,
  `LTAI${letters.slice(0, 20)}`,
  `AVNS_${letters.slice(0, 19)}`,
  `apify_api_${letters.slice(0, 36)}`,
  `xaat-${uuid}`,
  `CLOJARS_${small.slice(0, 60)}`,
  `v1.0-${hex.slice(0, 24)}-${hex.slice(0, 146)}`,
  `CFPAT-${letters.slice(0, 43)}`,
  `duffel_live_${letters.slice(0, 43)}`,
  `dt0c01.${large.slice(0, 24)}.${large.slice(0, 64)}`,
  `EZAK${letters.slice(0, 54)}`,
  `FLWSECK_TEST-${hex.slice(0, 32)}-X`,
  `fio-u-${letters.slice(0, 64)}`,
  `GR1348941${letters.slice(0, 20)}`,
  `hcaik_${letters.slice(0, 58)}`,
  `pat-na1-${uuid}`,
  `ico-${letters.slice(0, 32)}`,
  `signkey-prod-${hex.slice(0, 64)}`,
  `jina_${hex.slice(0, 32)}${letters.slice(0, 28)}`,
  `sk.eyJ${letters.slice(0, 60)}.${letters.slice(0, 22)}`,
  `oy2${small.slice(0, 43)}`,
  `sha256~${letters.slice(0, 43)}`,
  `access-production-${uuid}`,
  `pnu_${letters.slice(0, 36)}`,
  `rdme_${small.slice(0, 70)}`,
  `sm_pat_${letters.slice(0, 16)}`,
  `xsmtpsib-${hex.slice(0, 64)}-${letters.slice(0, 16)}`,
  `shippo_live_${hex.slice(0, 40)}`,
  `squ_${hex.slice(0, 40)}`,
  `sgp_${hex.slice(0, 16)}_${hex.slice(0, 40)}`,
  `sq0atp-${letters.slice(0, 22)}`,
  `ATTA${hex.slice(0, 64)}`,
  `tfp_${letters.slice(0, 59)}`,
  `AQVN${letters.slice(0, 36)}`,
];

test("there is a token of each issuer", () => {
  const patterns = issuerTokens.map(([start, rest]) => new RegExp(`^(?:${start}${rest})$`));
  expect(patterns.map((pattern, at) => pattern.test(tokens[at] ?? ""))).toEqual(tokens.map(() => true));
});

test.each(tokens)("%s is masked in an argument and in a result", async (token) => {
  for (const text of [`use ${token} for it`, `call("${token}")`, JSON.stringify({ value: token }), `KEY=${token}\n`]) {
    expect(mayHoldSecret(text)).toBe(true);
    expect(maskInText(text)).not.toContain(token);
    expect(await new ResultMask().maskText(text)).not.toContain(token);
  }
});

test.each([
  "ico-arrow-left-large-24 sm_pat_tern_of_the_week_2 sgp_ squ_are_root_of_2 tfp_2",
  "v1.0-beta.17 v1.0-0f1e2d3c4b5a69788796a5b4 A3-2026 A3-FORMAT-PAPER-12345",
  "sha256~ sha256:0f1e2d3c4b5a69788796a5b4c3d2e1f0 EZAKIEL 2:4 access-production-2026 pat-na1-2026-11-23",
  "LTAI1 AVNS_1 xaat-2026-11-23 signkey-prod-1 duffel_test_suite_number_12 oy2 oy2k-problem-of-the-year-2000",
  "apify_api_client_version_2_and_its_options_and_more pnu_monia_ward_12 jina_embeddings_v3_base_and_its_options_2",
])("names that begin like a token stay: %s", async (text) => {
  expect(maskInText(text)).toBe(text);
  expect(await new ResultMask().maskText(text)).toBe(text);
});
