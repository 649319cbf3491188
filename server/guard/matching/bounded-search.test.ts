import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { boundedSearch } from "./bounded-search";

const search = (source: string, text: string, left = 20_000) => boundedSearch(RE2JS.compile(source), text, { left });

const texts = [
  "",
  "a",
  "ls -la\nrm -rf /",
  "a word, another",
  "x\n",
  "\n",
  "card 4111 1111 1111 1111.",
  "pässword: geheim",
  "Passw\u{f6}rd 😀 smile 😀😀",
  "key sk-abcdefghijklmnopqrstuv",
  "DE89370400440532013000",
  "aaaaaaaaaaaab",
  "a\u2028b",
  "a\uffffb",
];
test.each(examples`
  ^(ls|cat)\b ¦ \brm\b ¦ \Bo ¦ (?m)^rm ¦ (?m)a$ ¦ x$ ¦ ^$ ¦ \A\n\z ¦ (?i)PASSW.RD ¦ 😀{2} ¦ [^\x00-\x7f]
  \b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b ¦ sk-[A-Za-z0-9]{20,} ¦ [A-Z]{2}\d{2}[A-Z0-9]{11,30} ¦ (a?){8}a{8}b ¦ a| ¦ a.b ¦ (?s)a.*,
`)("%s finds what the engine finds", (source) => {
  for (const text of texts) {
    expect(search(source, text, 1_000_000)?.isFound, JSON.stringify(text)).toBe(RE2JS.compile(source).test(text));
  }
});

test.each(examples`
  (a?){300}a{300} ¦ (?:x|y|aa){200}$ ¦ (a|b){0,300}c ¦ (a|b)*a(a|b){14} ¦ ((a?)(a?)){60}a{60}b ¦ \w{1,500}x
`)("%s costs no more than its budget, whatever the text", (source) => {
  const pattern = RE2JS.compile(source);
  const { dfa } = pattern.re2Input;
  const step = dfa.step.bind(dfa);
  for (const letters of ["a", "ab", "abb", "aab"]) {
    const budget = { left: 20_000 };
    let [steps, dearest] = [0, 0];
    dfa.step = (...state) => {
      const next = step(...state);
      steps += 1;
      dearest = Math.max(dearest, state[0].nfaStates.length + (next?.nfaStates.length ?? 0) + 4);
      return next;
    };
    boundedSearch(pattern, letters.repeat(64_000 / letters.length), budget);
    expect(budget.left).toBeGreaterThanOrEqual(-dearest);
    expect(steps).toBeLessThanOrEqual(20_000 / 4 + 1);
  }
});

test("an engine that gives up says neither yes nor no", () => {
  const gaveUp = RE2JS.compile("[ab]c");
  gaveUp.re2Input.dfa.failed = true;
  expect(boundedSearch(gaveUp, "ac", { left: 1_000 })).toBeNull();
  const givesUp = RE2JS.compile("[ab]c");
  givesUp.re2Input.dfa.step = () => null;
  expect(boundedSearch(givesUp, "ac", { left: 1_000 })).toBeNull();
});

test("what was looked through before changes nothing", () => {
  const pattern = RE2JS.compile("(a|b)*a(a|b){10}c");
  const text = "abbabaababbbabaabbab".repeat(20);
  const left = 500;
  const first = boundedSearch(pattern, text, { left });
  boundedSearch(pattern, text, { left: 1_000_000 });
  pattern.test(text);
  expect(boundedSearch(pattern, text, { left })).toEqual(first);
  expect(first).toBeNull();
});

test("a long text that is ordinary is looked through whole, and several share a budget", () => {
  const text = "An ordinary line of prose, with DE numbers like 12 and words.\n".repeat(1_000);
  const budget = { left: 20_000 };
  for (const source of ["[A-Z]{2}\\d{2}[A-Z0-9]{11,30}", "(?i)(password|secret|token)\\s*[:=]\\s*\\S+", "\\d{1,1000}x"]) {
    expect(boundedSearch(RE2JS.compile(source), text, budget)?.isFound).toBe(false);
  }
  expect(budget.left).toBeLessThan(20_000);
  expect(boundedSearch(RE2JS.compile("prose"), text, { left: 0 })).toBeNull();
});

test("the cost of a search that goes on is that of the whole text", () => {
  const pattern = RE2JS.compile("[ab]c");
  const stopped = boundedSearch(pattern, `ac${"b".repeat(1_000)}`, { left: 1_000 });
  const whole = boundedSearch(pattern, `ac${"b".repeat(1_000)}`, { left: 1_000 }, { goOn: true });
  expect(stopped).toMatchObject({ isFound: true });
  expect(whole).toMatchObject({ isFound: true });
  expect(whole?.threads).toBeGreaterThan(1_000);
  expect(stopped?.threads).toBeLessThan(20);
});

describe("a search that begins with what earlier texts left", () => {
  const text = "An ordinary line of prose, with DE numbers like 12 and words.";
  const costOf = (pattern: RE2JS, isWarm: boolean) => {
    const budget = { left: 1_000_000 };
    expect(boundedSearch(pattern, text, budget, { isWarm })).toMatchObject({ isFound: false });
    return 1_000_000 - budget.left;
  };

  test("pays only for what is new in its text", () => {
    const pattern = RE2JS.compile("[A-Z]{2}\\d{2}[A-Z0-9]{11,30}");
    const cold = costOf(pattern, true);
    expect(cold).toBeGreaterThan(0);
    expect(costOf(pattern, true)).toBe(0);
    expect(costOf(pattern, false)).toBe(cold);
  });

  test("begins anew once that has taken half of the room there is", () => {
    const pattern = RE2JS.compile("[A-Z]{2}\\d{2}[A-Z0-9]{11,30}");
    const { dfa } = pattern.re2Input;
    const cold = costOf(pattern, true);
    dfa.memBudget = dfa.maxMem / 2;
    expect(costOf(pattern, true)).toBe(0);
    dfa.memBudget = dfa.maxMem / 2 - 1;
    expect(costOf(pattern, true)).toBe(cold);
  });
});
