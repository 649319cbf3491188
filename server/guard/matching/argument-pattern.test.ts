import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { type ArgumentPattern, compileLazily, compilePattern } from "./argument-pattern";

function usable(source: string): ArgumentPattern {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.pattern;
}

test.each([
  ["(a", 0, "close this parenthesis"],
  ["a(b(c)", 1, "close this parenthesis"],
  ["\\((a", 2, "close this parenthesis"],
  ["[(](a", 3, "close this parenthesis"],
  ["a)b", 1, "nothing is open here"],
  ["ab[c", 2, "close this bracket"],
  ["a**", 1, "use one repetition"],
  ["*a", 0, "nothing here to repeat"],
  ["a(?=b)", 1, "looking ahead and behind is not available"],
  ["(?!a)", 0, "looking ahead and behind is not available"],
  ["a(?<=b)c", 1, "looking behind is not available"],
  ["(a)\\1", 3, "back-references"],
  ["a\\q", 1, "this escape does not exist"],
  ["a\\", 1, "for a backslash"],
  ["[z-a]", 1, "lower to its higher end"],
  ["a{2000}", 1, "counts to 1000 at most"],
  ["x\\p{Foo}", 1, "a class that exists"],
  ["a(?P<n", 1, "name a group like (?P<name>...)"],
  ["[)]a(?:b))", 9, "nothing is open here"],
  ["[^)](a", 4, "close this parenthesis"],
  ["[])](a", 4, "close this parenthesis"],
  ["[^])](a", 5, "close this parenthesis"],
  ["[\\])](a", 5, "close this parenthesis"],
  ["[(])", 3, "nothing is open here"],
  ["[ab)])", 5, "nothing is open here"],
  ["\\[(a", 2, "close this parenthesis"],
  ["(a)(b", 3, "close this parenthesis"],
  ["(\\Q)\\E", null, "close this parenthesis"],
])("%s cannot be used, and says where and what to do", (source, index, advice) => {
  const compiled = compilePattern(source);
  expect(compiled).toMatchObject({ ok: false, error: { index, message: expect.stringContaining(advice) } });
});

test("a mistake that could be in two places names none", () => {
  expect(compilePattern("a**b**")).toMatchObject({ ok: false, error: { index: null } });
});

test.each([
  ["(?P<n>a)(?P<n>b)", "duplicate capture group name. To fix it: give each group its own name."],
  ["a{1,1000}".repeat(2_000), "expression too large. To fix it: write a shorter or simpler one, in the syntax of RE2."],
  [
    `${"(".repeat(1_001)}a${")".repeat(1_001)}`,
    "expression nests too deeply. To fix it: write a shorter or simpler one, in the syntax of RE2.",
  ],
])("a pattern that is wrong as a whole says what to do", (source, message) => {
  expect(compilePattern(source)).toEqual({ ok: false, error: { index: null, message } });
});

test("a mistake is shown with what follows it, cut where it gets long, and counted from 1 for people", () => {
  expect(compilePattern(`ab(${"c".repeat(40)}`)).toEqual({
    ok: false,
    error: {
      index: 2,
      message: `missing closing ) at character 3: "(${"c".repeat(19)}". To fix it: close this parenthesis, or write \\( for one that stands for itself.`,
    },
  });
});

test.each(["^(ls|cat)\\b", "(?i)ls", "(?P<name>a)", "\\d{1,1000}", "[[:alpha:]]+", "日本", "(?m)^x$", "a|"])("%s can be used", (source) => {
  expect(compilePattern(source).ok).toBe(true);
});

describe("the match at the beginning of a text", () => {
  test.each([
    ["ls", "ls -la", 2],
    ["^(ls|lsof)", "lsof -i", 4],
    ["ls", " ls", null],
    ["^ls$", "ls -la", null],
    ["a*", "b", 0],
  ])("of %s in %j is as long as it can be: %s", (source, text, length) => expect(usable(source).lengthAtStart(text)).toBe(length));

  const affordable = 4_000;
  const long = (start: string) => `${start}${"x".repeat(affordable * 100)}`;
  test("is certain from the first part of a text that is too long to be read whole", () => {
    for (const source of ["^ls ", "^(ls|lsof) "]) {
      expect(usable(source).lengthAtStart(long("ls "))).toBe(3);
      expect(usable(source).lengthAtStart(long("rm "))).toBeNull();
    }
  });
  test("is none where it may owe its end to the cut", () => {
    expect(usable("^ls x+").lengthAtStart(long("ls "))).toBeNull();
    expect(usable("^ls (x+$)?").lengthAtStart(long("ls "))).toBeNull();
  });
  test("is found whole in a text that is just short enough", () => {
    const { lengthAtStart } = usable("^x+");
    let affordableChars = 1;
    while (lengthAtStart("x".repeat(affordableChars * 2)) !== null) affordableChars *= 2;
    expect(lengthAtStart("x".repeat(affordableChars))).toBe(affordableChars);
    expect(affordableChars).toBeGreaterThan(4_000);
  });
});

test.each(["(a?){450}a{450}", "(abc|de){500}", "[a-z]{1,900}x{900}"])("%s is too large to be used, and says so", (source) => {
  expect(compilePattern(source)).toMatchObject({
    ok: false,
    error: {
      message: expect.stringMatching(
        /^The pattern is too large: \d,\d{3} instructions, where 2,048 are the most\. To fix it: let its repetitions count to less\.$/,
      ),
      index: null,
    },
  });
});

test.each(examples`
  (a?){200}a{200} ¦ (a|b)*a(a|b){14} ¦ (?:x|y|aa){200}$ ¦ \d{1,1000} ¦ (?i)(pass|secret)\s*[:=]\s*\S+
`)("%s is answered, or said to take too long, for 64 KB of whatever text", (source) => {
  const { isFoundIn, lengthAtStart } = usable(source);
  for (const letters of ["a", "ab", "abb", "1", "x", "pass=", "secret "]) {
    const text = letters.repeat(65_536 / letters.length);
    try {
      isFoundIn(text);
    } catch (error) {
      expect(String(error)).toContain("would take too long");
    }
    lengthAtStart(text);
  }
});

describe("a text that is too long for a pattern", () => {
  const costly = "(a{1,500}){1,2}b";
  test("cannot be looked at, and says so", () => {
    expect(() => usable(costly).isFoundIn("a".repeat(64_000))).toThrow("The pattern would take too long on a text of 64,000 characters");
  });
  test("is one only for a pattern that is large, too", () => {
    expect(usable("a{1,5}b").isFoundIn("a".repeat(64_000))).toBe(false);
    expect(usable(costly).isFoundIn(`${"a".repeat(30)}b`)).toBe(true);
    expect(usable("(a?){200}a{200}").isFoundIn("a".repeat(39))).toBe(false);
  });
  test("is none for a pattern that a few characters rule out", () => {
    const either = "(a|b)".repeat(14);
    const text = Array.from({ length: 20_000 }, (_, at) => (((at * at * at) % 1_009) % 2 ? "a" : "b")).join("");
    expect(() => usable(`(a|b)*a${either}[c-e]d`).isFoundIn(text)).toThrow("The pattern would take too long");
    expect(usable(`(a|b)*a${either}cd`).isFoundIn(text)).toBe(false);
  });
  test("costs nothing where a few characters rule it out", () => {
    const compiled = compileLazily("^(ls|cat) .*x");
    if (!compiled.ok) throw new Error(compiled.error.message);
    expect(compiled.pattern.isRuledOut("rm ".repeat(1_000_000))).toBe(true);
    expect(compiled.pattern.isFoundIn("rm ".repeat(1_000_000))).toBe(false);
    expect(compiled.pattern.lengthAtStart("rm ".repeat(1_000_000))).toBeNull();
    expect(compiled.pattern.isRuledOut("a cat x")).toBe(false);
  });
});

test.each(["(a", "a**", "[z-a]"])("%s is no better when it is compiled for a rule that is stored", (source) => {
  const stored = compileLazily(source);
  expect(stored.ok).toBe(false);
  expect(stored).toEqual(compilePattern(source));
  // The second compilation comes from the cache.
  expect(compileLazily(source)).toEqual(stored);
});

test("a pattern that would take other engines forever takes a moment", () => {
  const compiled = compilePattern("^(a+)+$");
  if (!compiled.ok) throw new Error(compiled.error.message);
  expect(compiled.pattern.isFoundIn(`${"a".repeat(100_000)}b`)).toBe(false);
  expect(compiled.pattern.lengthAtStart(`${"a".repeat(100_000)}b`)).toBeNull();
});

test("more patterns than are remembered can be used all the same", () => {
  const usableOnes = Array.from({ length: 50_010 }, (_, at) => compileLazily(`^never ${at}`)).filter(({ ok }) => ok);
  expect(usableOnes).toHaveLength(50_010);
});

test("a pattern that is too much for the engine cannot be used, and breaks nothing", () => {
  /** Compiles where the stack has next to no room left. */
  const compileAtTheEnd = (): ReturnType<typeof compilePattern> => {
    try {
      return compileAtTheEnd();
    } catch {
      return compilePattern("((((((((a|b)+c)+d)+e)+f)+g)+h)+i)+");
    }
  };
  expect(compileAtTheEnd()).toEqual({ ok: false, error: { message: "The pattern is too large. Write a shorter one.", index: null } });
});
