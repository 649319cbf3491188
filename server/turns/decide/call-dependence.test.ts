import { expect, test } from "vitest";
import type { Effect } from "@/contracts/decisions/effects";
import { dependsOnEarlier, type EffectfulCall } from "./call-dependence";

const effect = (kind: Effect["kind"], target: Partial<Effect["target"]>): Effect => ({
  kind,
  target: { where: "inside", ...target },
  evidence: { argument: "/command", start: 0, end: 1 },
});
const call = (effects: Effect[] | undefined, needs: ("shell" | "files" | "http" | "browser")[] = ["files"]): EffectfulCall => ({
  registered: { needs },
  decision: { effects },
});
const write = (path: string) => call([effect("write", { path })]);
const send = call([effect("send", { where: "outside", host: "a.example" })], ["http"]);
const run = call([effect("execute", { program: "sh", path: "deploy.sh" })], ["shell"]);
const browse = call([effect("send", { where: "outside", host: "a.example" })], ["browser"]);
const upstream = call(undefined, []);

test.each<[string, EffectfulCall, EffectfulCall[], boolean]>([
  ["writes of different files", write("b.txt"), [write("a.txt")], false],
  ["a name that begins alike", write("a.txt.bak"), [write("a.txt")], false],
  ["the same file twice", write("a.txt"), [write("./a.txt")], true],
  ["a file in a folder that is written", write("src/a.txt"), [write("src")], true],
  ["a folder whose file is written", call([effect("delete", { path: "src/" })]), [write("src/a.txt")], true],
  ["the whole folder", call([effect("delete", { path: "." })]), [write("a.txt")], true],
  ["sending after a write of another file", send, [write("a.txt")], false],
  ["sending twice", send, [send], false],
  ["a write after sending", write("a.txt"), [send], false],
  ["a click after opening another page", browse, [browse], true],
  ["a page after sending by other means", browse, [send], false],
  ["a script after a write", run, [write("lib.sh")], true],
  ["a write after a script, which may write anything", write("a.txt"), [run], true],
  ["sending after a script", send, [run], false],
  ["calls of a server without files", upstream, [upstream, write("a.txt")], false],
  ["a write to a path that is known only when it runs", write("a.txt"), [call([effect("write", { where: "not_known" })])], true],
  ["a write after a call of which nothing is known", write("a.txt"), [{ registered: null, decision: null }], true],
  ["the third by the first", write("a.txt"), [write("a.txt"), write("b.txt")], true],
])("%s: depends on an earlier call's effects, or not", (_title, later, earlier, expected) => {
  expect(dependsOnEarlier(later, earlier)).toBe(expected);
});
