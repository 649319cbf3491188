import { expect, it } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { onlyPrintsAwk } from "./awk-program";

it.each([
  ...examples`
    { print $1 } ¦ /a|b/ { n++ } END { print n } ¦ $1 ~ /x>y|z/ { print } ¦ /[/]/ { print } ¦ /[^]a/]/ && !/b\/c/ { print }
    $3 > 1000 || $2 >= 5 { print $1 } ¦ NR > 1 { sum += $2 } END { print sum / (NR - 1) } ¦ { print (a > b), c } ¦ { print "a|b > c", $1 }
    { print "a" > "/dev/stderr" } ¦ { print "a" > "/dev/stdout"; print } ¦ { x = a / 2 } ¦ { x = a / 2; print "b" }
  `,
  "{ print $1\n x > y }",
  "{ print $1 } # a note\n{ n++ }",
])("%s only prints", (program) => expect(onlyPrintsAwk(program)).toBe(true));

it.each([
  'BEGIN { system("id") }',
  '{ print | "sh" }',
  '"id" | getline',
  "{ getline < $1 }",
  "{ @f(1) }",
  '@load "x"',
  'BEGIN { ARGV[1] = "/etc/passwd" }',
  'BEGIN { SYMTAB["ARGV"] }',
  '{ print > "out" }',
  "{ print $1 >> f }",
  '{ printf("%s", $1) > f }',
  '{ print $1,\n $2 > "x" }',
  '{ print $1 > "/dev/stderr" "x" }',
  '{ print "x',
  "{ print \\\n > x }",
  "{ print }\\",
  // This slash divides in one awk and begins a pattern with a quote in another.
  '{ if ($1) /"/; print "b" | "sh"; if (x) /"/ }',
  '{ x = a / 2 / 3; print "b" }',
])("%s may do more than print", (program) => expect(onlyPrintsAwk(program)).toBe(false));
