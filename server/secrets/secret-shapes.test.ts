import fc from "fast-check";
import { expect, test } from "vitest";
import type { SecretShape } from "./secret-shape";
import { mayHoldSecret, secretShapes, shapesToTry } from "./secret-shapes";

/** Parts of texts with secrets: names, signs between a name and its value, prefixes of tokens, values. */
const pieces = [
  ..."a A 0 = : / . - _ @ + ~ % \" ' \n \t , ; |".split(" "),
  ...[" ", "  ", "\u00a0", "\u2028", "\r", "--", "-p", "-u", "-a ", "://", '="', ": '", " = "],
  ..."pass passwd password passphrase pwd secret token api_key apikey access-key private_key credential db api-key".split(" "),
  ..."secret_access_key SecretAccessKey authorization Authorization: bearer Bearer basic Basic hooks.slack.com/services/".split(" "),
  ..."curl mysql mariadb sshpass redis-cli login docker --user --proxy-user https http hunter22 user me x.org".split(" "),
  ..."AKIA ASIA ghp_ gho_ github_pat_ xoxb- xapp- sk_live_ rk_test_ whsec_ AIza ya29. GOCSPX- sk- hr_ gsk_ xai- SG. eyJ".split(" "),
  ..."fw_ re_aB3dE6gH_ dapi key- EAA a1bQ~ abcdefghijklmn.atlasv1. patabcdefghijklmn. 123456789:AA tgp_v1_ sb_secret_ eyJ..".split(" "),
  ..."glpat- npm_ hf_ shpat_ glsa_ dop_v1_ pypi- hvs. ATATT lin_api_ dckr_pat_ tskey- figd_ pul- PMAK- AGE-SECRET-KEY-1".split(" "),
  "ABCDEFGHIJKLMNOP",
  "aB3dE6gH9jK2mN5pQ8sT1vW4",
  "0123456789abcdefghij",
  ":/",
  "AC0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
];

/** Programs whose options mark a secret only for them: `-p` is a password for mysql. Their names are hints of the shape. */
const programs = ["curl", "mysql", "mariadb", "redis-cli"];

const random = "aB3dE6gH9jK2mN5pQ8sT1vW4aB3dE6gH9jK2mN5p";
const hex32 = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
/** A secret of each shape, in the order of the shapes. */
const examples = [
  ...["AKIAABCDEFGHIJKLMNOP", `secret_access_key=${random}`, `ghp_${random}`, `github_pat_${random}`, "xoxb-hunterhunt", "xapp-hunterhunt"],
  ...["https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnop", "whsec_abcdefghij", `AIza${random}`, `ya29.${random}`],
  ...[
    `sk-${random}`,
    `hr_${random}`,
    `gsk_${random}`,
    `npm_${random}`,
    `abc8Q~${random}`,
    `abcdefghijklmn.atlasv1.${random}${random}`,
    `123456789:AA${random.slice(0, 33)}`,
    "SG.abcdefghijklmnop.abcdefghijklmnop",
    `AC${hex32}:${hex32}`,
    "eyJabcdefgh.abcdefgh.abcdefgh",
  ],
  ...["Bearer abcdefg8", "authorization: basic aGVsbG8x", "https://me:hunter22@x.org", "https://aB3dE6gH9jK2mN5p@x.org"],
  ...["curl -u me:hunter22", "mysql -phunter22", "mariadb -phunter22", "sshpass -p hunter22", "redis-cli -a hunter22"],
  ...["docker login -p hunter22", "--db-pass hunter22", "pass=hunter22", "password=hunter22", `value=${random}`],
];

const holds = (text: string, { pattern, hints = [] }: SecretShape) => {
  pattern.lastIndex = 0;
  return pattern.test(text) && hints.every((hint) => !programs.includes(hint) || text.includes(hint));
};

test("there is a secret of each shape", () => {
  expect(secretShapes.map((shape, at) => holds(examples[at] ?? "", shape))).toEqual(examples.map(() => true));
});

test("what is quick to look for is in every text that holds a secret", () => {
  const around = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(around, fc.constantFrom("", ...examples), around, (before, example, after) => {
      const text = before + example + after;
      for (const shape of secretShapes) {
        if (!holds(text, shape)) continue;
        const looked = { mayHold: mayHoldSecret(text), isTried: shapesToTry(text).includes(shape) };
        expect({ text, pattern: shape.pattern, ...looked }).toMatchObject({ mayHold: true, isTried: true });
      }
    }),
    { numRuns: 15_000, endOnFailure: true },
  );
});
