import { expect, test } from "vitest";
import { readPolicyFile } from "./read-policy-file";

const now = new Date("2026-03-01T10:00:00Z");

const good = `# Everybody's rules
rules:
  - name: Look around
    tool: shell_execute
    pattern: ^(ls|cat)\\b
    verdict: allow
  - name: Small payments by day
    tool: pay__*
    comparisons:
      - { parameter: amount, operator: "<=", value: 100 }
      - { parameter: currency, operator: in, value: [EUR, USD] }
    context:
      origins: [chat]
      time: { days: [mon, tue], from: 09:00, to: 17:00, zone: Europe/Berlin }
    verdict: allow
    priority: 500
`;

test("rules are read with what they leave out filled in", () => {
  const read = readPolicyFile(good, now);
  if (!("file" in read)) throw new Error(read.mistake.message);
  expect(read.file.rules).toMatchObject([
    {
      name: "Look around",
      source: "file",
      priority: 100,
      enabled: true,
      excludePattern: null,
      comparisons: [],
      context: null,
      relaxes: [],
    },
    { priority: 500, context: { agents: null, time: { from: "09:00", to: "17:00" } } },
  ]);
});

test("a rule's id follows from its name, and the digest from what the rules say", () => {
  const read = (text: string) => {
    const result = readPolicyFile(text, new Date());
    if (!("file" in result)) throw new Error(result.mistake.message);
    return result.file;
  };
  const ids = read(good).rules.map(({ id }) => id);
  expect(ids).toEqual(read(good.replace("priority: 500", "priority: 400")).rules.map(({ id }) => id));
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^00000000-0000-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(read(`# another comment\n${good}`).digest).toBe(read(good).digest);
  expect(read(good.replace("priority: 500", "priority: 400")).digest).not.toBe(read(good).digest);
});

test("JSON as it is exported is a policy file too, and an empty list of rules", () => {
  const rule = { id: "01890000-0000-7000-8000-000000000001", name: "a", tool: "*", verdict: "deny" };
  const text = JSON.stringify({ schema: "handrail.guard.rules.v1", exportedAt: now.toISOString(), count: 1, rules: [rule] });
  expect(readPolicyFile(text, now)).toMatchObject({ file: { rules: [{ name: "a" }] } });
  expect(readPolicyFile("rules: []", now)).toMatchObject({ file: { rules: [] } });
});

const rule = "rules:\n  - name: a\n    tool: x\n    verdict: deny\n";

test.each<[what: string, text: string, message: RegExp, line: number | null, column?: number]>([
  ["an empty file", "", /must be|expected|it is not/i, 1],
  ["no list", "rules: 5", /^rules: must be a list of rules$/, 1, 8],
  ["YAML that is none", "rules:\n  - name: [a\n", /not valid YAML/, 3],
  [
    "a detector that there is none of",
    `${rule}    relaxes:\n      - file.sensitive\n      - file.any\n`,
    /the rule "a", relaxes\.1: there is no detector/,
    7,
    9,
  ],
  ["a key given twice", `${rule}    verdict: allow\n`, /^it is not valid YAML: Map keys must be unique$/, 5, 5],
  ["a verdict that does not exist", rule.replace("deny", "maybe"), /the rule "a", verdict: /, 4, 14],
  ["a field that does not exist", `${rule}    patern: x\n`, /the rule "a", patern: .*patern/, 5],
  ["a rule without a tool", "rules:\n  - name: a\n    verdict: deny\n", /the rule "a", tool: /, 2, 5],
  ["a pattern with a mistake", `${rule}    pattern: ^(ls\n`, /the rule "a", pattern: missing closing \) at character 2/, 5, 14],
  ["an exception with a mistake", `${rule}    excludePattern: a(?!b)\n`, /excludePattern: .*looking ahead/, 5],
  ["a kind of tool that does not exist", rule.replace("tool: x", 'tool: "effect:delete"'), /read, write or destroy/, 3],
  ["two rules of one name", `${rule}${rule.slice(7)}`, /two rules named "a"/, 5, 11],
  [
    "a comparison with a text where a number belongs",
    `${rule}    comparisons:\n      - { parameter: n, operator: ">", value: "1" }\n`,
    /comparisons\.0\.value/,
    6,
  ],
  [
    "a time zone that does not exist",
    `${rule}    context:\n      time:\n        zone: Mars/Base\n`,
    /context\.time\.zone: name a time zone/,
    7,
    15,
  ],
  ["a format that there is none of", "schema: v0\nrules: []\n", /^schema: /, 1, 9],
  ["fields of the file that there are none of", "ruels: 1\nrulse: 2\nrules: []\n", /^ruels: Unrecognized keys: "ruels", "rulse"$/, 1],
  ["a rule without a name", "rules:\n  - tool: x\n    verdict: deny\n", /^rule 1, name: /, 2],
  ["a rule that is none", "rules:\n  - 5\n", /^rule 1: /, 2, 5],
  ["an empty rule", "rules:\n  - name: a\n    tool: x\n    verdict: deny\n  -\n", /^rule 2: /, 5],
  ["a text for a whole file", "# Rules\nrules\n", /^Invalid input: expected object/, 2],
  ["a tag that makes objects", `${rule}    reason: !!js/function x\n`, /not valid YAML/, 5],
])("%s is refused with the place", (_what, text, message, line, column) => {
  const read = readPolicyFile(text, now);
  if (!("mistake" in read)) throw new Error("it was taken");
  expect(read.mistake.message).toMatch(message);
  expect(read.mistake.line).toBe(line);
  if (column !== undefined) expect(read.mistake.column).toBe(column);
});

test("a few lines that stand for millions are refused", () => {
  const lists = Array.from({ length: 12 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(", ")}]`);
  const read = readPolicyFile(`l0: &l0 [x, x]\n${lists.join("\n")}\nrules: *l12\n`, now);
  expect(read).toMatchObject({ mistake: { message: expect.stringMatching(/^it cannot be read: .*alias/i), line: null, column: null } });
});

const withPatterns = (count: number, pattern: string) =>
  `rules:\n${Array.from({ length: count }, (_, at) => `  - { name: r${at}, tool: "*", pattern: '${pattern}', verdict: deny }`).join("\n")}`;

test("patterns that are too large together are refused, at the first that is too much", () => {
  const read = readPolicyFile(withPatterns(9_000, "(a|b){100}c{50}"), now);
  if (!("mistake" in read)) throw new Error("it was taken");
  expect(read.mistake.message).toMatch(/^the rule "r\d+", pattern: the patterns up to here are too large together; /);
  expect(read.mistake.line).toBeGreaterThan(500);
  expect(read.mistake.line).toBeLessThan(1_500);
  expect(readPolicyFile(withPatterns(2_000, "^git (status|log|diff)\\b"), now)).toHaveProperty("file");
});

test("thousands of anchors are refused before they are read; as many ampersands in texts are not", () => {
  const anchors = (count: number) => `list:\n${Array.from({ length: count }, (_, at) => `  - &a${at} x`).join("\n")}`;
  const tooMany = { mistake: { message: "it has more than 1,000 anchors (&name)", line: null, column: null } };
  expect(readPolicyFile(anchors(20_000), now)).toEqual(tooMany);
  expect(readPolicyFile(anchors(1_001), now)).toEqual(tooMany);
  expect(readPolicyFile(`# & ${anchors(1_000)}`, now)).not.toEqual(tooMany);
  expect(readPolicyFile(withPatterns(1_500, "a && b"), now)).toHaveProperty("file");
  const plain = `rules:\n${Array.from({ length: 1_200 }, (_, at) => `  - name: r${at}\n    tool: "*"\n    reason: a &b\n    verdict: deny`).join("\n")}`;
  expect(readPolicyFile(plain, now)).toHaveProperty("file");
});

test("a text that no database could hold is a mistake with its place", () => {
  const read = readPolicyFile('rules:\n  - name: x\n    tool: "*"\n    pattern: "a\\ud800"\n    verdict: deny\n', now);
  expect(read).toMatchObject({ mistake: { message: expect.stringContaining("surrogate"), line: 4 } });
});
