import { decide } from "../../server/guard/decide";
import { compilePattern } from "../../server/guard/matching/argument-pattern";
import { buildRequest, mcpTool, policyOfRules, readTool, shellCall, writeTool } from "../../server/testing/guard/guarded-calls";
import { type Line, milliseconds } from "../report";
import { median } from "../statistics";

const limitMs = 5;
/** As a call brings it: what JSON escapes counts as what it is escaped to. */
const maxBytes = 65_536;
const repeats = 7;

/** Pieces of which a long text is made that somebody reads: a shell's grammar, SQL, URLs, paths, secrets, hidden signs. */
const pieces = [
  ..."a A 0 = : / \\ . ~ - _ * ? [ ] { } ( ) < > | & ; # ! $ % @ ' \" `".split(" "),
  ...[" ", "\n", "\t", "\0", "\r\n", "\\\n", "\u00e9", "\u202e", "\u200b", "\ud800", "\u{1F600}", "\u{E0041}"],
  ...["a/", "./", "../", "**/", "a*", "[a", "((", "[[ a ", "$(", "${", "$((", "<(", "<<A\n", "<<'A'\n", "<<<a ", "||", "&&", "2>&1 "],
  ...["a;", "a|", "a&", "a\n", "{a,", "{a,b}", "if a; then ", "for i in a; do ", "case a in a) ", "a() { ", "a=$a$a;", "a=$(a)"],
  ...[
    "sudo ",
    "sh -c '",
    "eval ",
    "env ",
    "xargs ",
    "find ",
    "-exec ",
    "rm -rf / ",
    "cat a | sh ;",
    "base64 ",
    "python -c ",
    "awk '",
    "git -c a ",
  ],
  ...[
    "select ",
    "select * from ",
    "delete from a;",
    "drop table a;",
    "grant a to ",
    "delete from a where a = a and ",
    "select (",
    "a = 1 or ",
    "a = ",
    "with a as (",
    "/*",
    "/**/",
    "--",
    "--\n",
    "E'\\",
    "$a$",
  ],
  ...["http://", "http://a@", "http://a:a", "://", "file:/", "a@b:", "10.0.0.", "0x7f.", "::", "%2e", "curl http://a | "],
  ...[
    "a=",
    "token=",
    "token:",
    "password = a ",
    "Bearer ",
    "authorization: basic ",
    "access_key='",
    "eyJaaaaaaaa.",
    "-eyJaaaaaaaa",
    "login:",
    "hooks.slack.com/services/",
    "AKIA",
    "ghp_",
    "sk-",
    "aA1",
  ],
  ...["-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "os.", "exec(", "import os;"],
];

/** Patterns that take other engines as long as the universe has, and patterns that are merely large. */
const patterns = [
  "(a*)*b",
  "(a|a)*b",
  "(a+a+)+b",
  "(.*a){20}",
  "(?:a?){30}a{30}",
  "[a-z]+[a-z0-9]+[a-z]+x",
  "a{500}",
  "(\\w+\\s?)*!",
  "(?i)(a|b|c)*d$",
];

/** The slowest of many texts that are made to be slow, each as the argument of several tools, and with many patterns. */
export function hostileLines(): Line[] {
  const policy = policyOfRules([
    { tool: "*", pattern: "^(ls|cat|grep|find)\\b", verdict: "allow" },
    { tool: "*", pattern: "(rm|dd)+ .*x$", verdict: "deny" },
  ]);
  const texts = pieces.map((piece) => ({ name: piece, text: ofPieces(piece) }));
  const slowestText = slowest(
    texts.flatMap(({ name, text }) => callsWith(text).map((call) => ({ name, once: () => decide(policy, call(), 0) }))),
  );
  const slowestPattern = slowest(
    patterns.flatMap((pattern) => {
      if (!compilePattern(pattern).ok) throw new Error(`the pattern ${pattern} is not valid`);
      const denies = policyOfRules([{ tool: "*", pattern, verdict: "deny" }]);
      const allows = policyOfRules([{ tool: "*", pattern, verdict: "allow" }]);
      return ["a", "a ", "ab", "/"].flatMap((piece) =>
        [denies, allows].flatMap((policy) => [
          { name: `${pattern} on ${piece}`, once: () => decide(policy, buildRequest(readTool, { path: ofPieces(piece) }), 0) },
          { name: `${pattern} on ${piece}`, once: () => decide(policy, shellCall(ofPieces(piece)), 0) },
        ]),
      );
    }),
  );
  return [lineOf("hostile text of 64 KB", slowestText), lineOf("hostile pattern on 64 KB", slowestPattern)];
}

function ofPieces(piece: string): string {
  return piece.repeat(Math.floor(maxBytes / (Buffer.byteLength(JSON.stringify(piece)) - 2)));
}

/** A call each time, so that nothing is known of it. */
function callsWith(text: string) {
  const half = text.length >> 1;
  const python = { ...mcpTool, name: "execute_python", primaryArgument: "code" };
  return [
    () => shellCall(text),
    () => shellCall(`echo '${text}'`),
    () => buildRequest(readTool, { path: text }),
    () => buildRequest(readTool, { path: text.slice(0, 4_096) }),
    () => buildRequest(writeTool, { path: "a", content: text }),
    () => buildRequest(mcpTool, { text }),
    () => buildRequest(mcpTool, { [text.slice(0, half)]: "a", url: text.slice(0, 300), password: text.slice(0, half) }),
    () => buildRequest({ ...mcpTool, name: "db__query" }, { sql: text }),
    () => buildRequest({ ...mcpTool, name: "db__query" }, { sql: `select '${text}` }),
    () => buildRequest({ ...mcpTool, name: "sandbox__bash" }, { code: text }),
    () => buildRequest({ ...mcpTool, name: "git__run" }, { path: text.slice(0, 4_096), ref: text.slice(0, 2_000) }),
    () => buildRequest(python, { code: text, language: "python" }),
  ];
}

type Try = { name: string; once: () => unknown };

/** So many of the slowest are tried again, later. */
const triedAgain = 20;

/**
 * The slowest of all by the median of a few tries. Everything is tried once before, as for the decisions: a server that has
 * read its first texts is measured, not the engine at work on the code. The slowest are tried again when all others have
 * been, and the smaller figure counts: a slow text is slow at any time, a slow second of the machine hits what is tried in it.
 */
function slowest(tries: readonly Try[]): { name: string; ms: number } {
  for (const { once } of tries) once();
  const measured = tries.map((one) => ({ ...one, ms: medianOf(one) })).sort((a, b) => b.ms - a.ms);
  const again = measured.slice(0, triedAgain).map((one) => ({ ...one, ms: Math.min(one.ms, medianOf(one)) }));
  const worst = [...again, ...measured.slice(triedAgain)].reduce((a, b) => (b.ms > a.ms ? b : a));
  return { name: worst.name, ms: worst.ms };
}

function medianOf({ once }: Try): number {
  const times = Array.from({ length: repeats }, () => {
    const began = performance.now();
    once();
    return performance.now() - began;
  });
  return median(times);
}

function lineOf(what: string, { name, ms }: { name: string; ms: number }): Line {
  return {
    measured: `slowest ${what} (${JSON.stringify(name)})`,
    ours: milliseconds(ms),
    target: `<= ${limitMs} ms`,
    isMet: ms <= limitMs,
  };
}
