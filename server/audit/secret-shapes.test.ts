import fc from "fast-check";
import { expect, test } from "vitest";
import { mayHoldSecret, secretShapes, shapesToTry } from "./secret-shapes";

/** What texts with secrets are made of: names, signs between a name and its value, beginnings of tokens, values. */
const pieces = [
  ..."a A 0 = : / . - _ @ + ~ % \" ' \n \t , ; |".split(" "),
  ...[" ", "  ", "\u00a0", "\u2028", "\r", "--", "-p", "-u", "-a ", "://", '="', ": '", " = "],
  ..."pass passwd password passphrase pwd secret token api_key apikey access-key private_key credential db api-key".split(" "),
  ..."secret_access_key SecretAccessKey authorization Authorization: bearer Bearer basic Basic hooks.slack.com/services/".split(" "),
  ..."curl mysql mariadb sshpass redis-cli login docker --user --proxy-user https http hunter22 user me x.org".split(" "),
  ..."AKIA ASIA ghp_ gho_ github_pat_ xoxb- xapp- sk_live_ rk_test_ whsec_ AIza ya29. GOCSPX- sk- hr_ gsk_ xai- SG. eyJ".split(" "),
  ..."glpat- npm_ hf_ shpat_ glsa_ dop_v1_ pypi- hvs. ATATT lin_api_ dckr_pat_ tskey- figd_ pul- PMAK- AGE-SECRET-KEY-1".split(" "),
  "ABCDEFGHIJKLMNOP",
  "aB3dE6gH9jK2mN5pQ8sT1vW4",
  "0123456789abcdefghij",
  ...["secret_access_key=aB3dE6gH9jK2mN5pQ8sT1vW4aB3dE6gH9jK2mN5p", "authorization: basic aGVsbG8x", "docker login -p hunter22"],
  ...[
    "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnop",
    "https://me:hunter22@x.org",
    "curl -u me:hunter22 ",
    "https://aB3dE6gH9jK2mN5p@x.org",
    "redis-cli -a hunter22",
  ],
  ...[
    "eyJabcdefgh.abcdefgh.abcdefgh ",
    " SG.abcdefghijklmnop.abcdefghijklmnop",
    "sshpass -p hunter22",
    " hr_aB3dE6gH9jK2mN5pQ8sT1vW4aB3dE6gH",
  ],
];

/** Programs whose options say nothing elsewhere: `-p` is a password for mysql. What is looked for is part of what is meant. */
const programs = ["curl", "mysql", "mariadb", "redis-cli"];

/** How often each shape was met, so that the test cannot pass by meeting none. */
const met = new Map(secretShapes.map((shape) => [shape, 0]));

test("what is quick to look for is in every text that holds a secret", () => {
  const texts = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 }).map((parts) => parts.join(""));
  const holds = (text: string, { pattern, hints = [] }: (typeof secretShapes)[number]) => {
    pattern.lastIndex = 0;
    return pattern.test(text) && hints.every((hint) => !programs.includes(hint) || text.includes(hint));
  };
  fc.assert(
    fc.property(texts, (text) => {
      for (const shape of secretShapes) {
        if (!holds(text, shape)) continue;
        met.set(shape, (met.get(shape) ?? 0) + 1);
        expect({ text, shape, mayHold: mayHoldSecret(text), isTried: shapesToTry(text).includes(shape) }).toMatchObject({
          mayHold: true,
          isTried: true,
        });
      }
    }),
    { numRuns: 15_000, endOnFailure: true },
  );
  expect([...met].filter(([, times]) => times === 0).map(([{ pattern }]) => pattern.source)).toEqual([]);
});
