import { expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { forkBombIn } from "./fork-bomb";

test.each([
  ["f(){ f & f & }; f", "f"],
  ["f(){ f | f; }; f", "f"],
  ["f(){ g & }; g(){ f; f; }; f", "g"],
  // Further calls do not make the function harmless.
  ["f(){ list; f & f & }; list(){ ls; }; f", "f"],
  ["f(){ list & f & }; list(){ names; }; names(){ ls; }; f", "f"],
  ["o(){ f(){ f & f & }; f; }; o", "f"],
])("%s is one, of %s", (script, name) => expect(forkBombIn(readShell(script).script)).toBe(name));

test.each(examples`
  f(){ g & }; g(){ h; }; h(){ ls; }; f ¦ all(){ f & g & }; f(){ h; }; g(){ h; }; h(){ ls; }; all ¦ f(){ f; ls & }; f
  f(){ g | g; }; g(){ ls; }; f ¦ ls & ls | ls ¦ f(){ x=1 & x=2 | y=3; }; f
`)("%s is none: every function comes to an end, or waits for itself", (script) => expect(forkBombIn(readShell(script).script)).toBeNull());
