import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { styleOf, textOf, WordDocument } from "./document.mjs";
import { readZip, writeZip } from "./zip.mjs";

const usage = "Usage: read | replace | set | insert | delete | format | apply FILE.docx [--option=value]. SKILL.md lists the options.";
const mainPart = "word/document.xml";
const aligns = ["left", "center", "right", "both"];

function main([command, file, ...rest]) {
  const options = readOptions(rest);
  if (!command || !file || file.startsWith("--")) throw new Error(usage);
  const parts = readZip(readFileSync(file));
  const part = parts.find(({ name }) => name === mainPart);
  if (!part) throw new Error(`${file} is no Word document: it has no ${mainPart}.`);
  const document = new WordDocument(part.content.toString("utf8"));
  if (command === "read") return print(document, options);
  const edits = command === "apply" ? readEdits(options) : [{ do: command, ...options }];
  const revision = options.track
    ? { author: String(options.author ?? "Agent"), date: new Date().toISOString().replace(/\.\d+Z$/, "Z") }
    : null;
  const done = applyEdits(document, edits, revision);
  part.content = Buffer.from(document.write(), "utf8");
  // A word processor must never see half a document.
  const target = String(options.out ?? file);
  writeFileSync(`${target}.part`, writeZip(parts));
  renameSync(`${target}.part`, target);
  return [...done, `Wrote ${target}.`].join("\n");
}

function readOptions(words) {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^--([a-z]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
      if (name === undefined) throw new Error(`I do not understand ${word}. Write options as --name=value.`);
      if (["paragraph", "after", "from", "to", "expect"].includes(name)) return [name, wholeNumber(name, value)];
      return [name, value ?? true];
    }),
  );
}

function wholeNumber(name, value) {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw new Error(`${name} must be a number from 0 on.`);
  return number;
}

function print(document, { from = 1, to = document.paragraphs.length }) {
  const lines = document.paragraphs.slice(Math.max(0, from - 1), to).map(({ node, place }, index) => {
    const marks = [styleOf(node), place]
      .filter(Boolean)
      .map((mark) => ` [${mark}]`)
      .join("");
    return `${Math.max(1, from) + index}${marks}: ${textOf(node)}`;
  });
  return `${document.paragraphs.length} paragraphs\n${lines.join("\n")}`;
}

function readEdits({ edits }) {
  if (typeof edits !== "string") throw new Error("apply needs --edits=FILE.json, a list of edits.");
  const list = JSON.parse(readFileSync(edits, "utf8"));
  if (!Array.isArray(list) || list.length === 0) throw new Error("The edits must be a list with at least one edit.");
  return list;
}

/** Makes all edits. Numbers are those before the first one, so paragraphs are looked up first and insertions are made from the end. */
function applyEdits(document, edits, revision) {
  const planned = edits.map((edit, index) => ({ edit, index, run: planEdit(document, edit, revision) }));
  const inserts = planned
    .filter(({ edit }) => edit.do === "insert")
    .sort((one, other) => other.edit.after - one.edit.after || other.index - one.index);
  const others = planned.filter(({ edit }) => edit.do !== "insert" && edit.do !== "delete");
  const deletes = planned.filter(({ edit }) => edit.do === "delete");
  const said = new Map();
  for (const { index, run } of [...others, ...inserts, ...deletes]) said.set(index, run());
  return edits.map((_edit, index) => said.get(index));
}

function planEdit(document, edit, revision) {
  const text = (name) => {
    if (typeof edit[name] !== "string") throw new Error(`${edit.do} needs ${name}, a text.`);
    return edit[name];
  };
  if (edit.do === "replace") return planReplace(document, { ...edit, find: text("find"), with: text("with") }, revision);
  if (edit.do === "set") {
    const paragraph = document.at(edit.paragraph);
    const wanted = text("text");
    return () => {
      document.setText(paragraph, wanted, revision);
      return `Paragraph ${edit.paragraph} was set.`;
    };
  }
  if (edit.do === "insert") {
    if (!Number.isInteger(edit.after)) throw new Error("insert needs after, the number of a paragraph, or 0 for the beginning.");
    if (edit.after > 0) document.at(edit.after);
    const wanted = text("text");
    return () => {
      document.insertAfter(edit.after, wanted, typeof edit.style === "string" ? edit.style : null, revision);
      return `A paragraph was inserted after ${edit.after}.`;
    };
  }
  if (edit.do === "delete") {
    const paragraph = document.at(edit.paragraph);
    return () => {
      document.remove(paragraph, revision);
      return `Paragraph ${edit.paragraph} was deleted.`;
    };
  }
  if (edit.do === "format") {
    const paragraph = document.at(edit.paragraph);
    if (edit.align !== undefined && !aligns.includes(edit.align)) throw new Error(`align must be one of ${aligns.join(", ")}.`);
    return () => {
      document.format(paragraph, edit);
      return `Paragraph ${edit.paragraph} was formatted.`;
    };
  }
  throw new Error(`There is no edit "${edit.do}". ${usage}`);
}

function planReplace(document, { find, with: replacement, paragraph, expect }, revision) {
  if (find === "") throw new Error("replace needs find, a text that is not empty.");
  const places = paragraph === undefined ? document.paragraphs : [document.at(paragraph)];
  return () => {
    const counts = places.map((place) => document.replaceIn(place, find, replacement, revision));
    const count = counts.reduce((sum, one) => sum + one, 0);
    if (count === 0) throw new Error(`"${find}" stands nowhere in the document. Read it, and copy the text from there.`);
    if (expect !== undefined && count !== expect)
      throw new Error(`"${find}" stands ${count} times, not ${expect} times. Nothing was changed.`);
    const numbers = counts.flatMap((one, index) => (one > 0 ? [paragraph ?? index + 1] : []));
    return `"${find}" was replaced ${count} times, in paragraph ${numbers.join(", ")}.`;
  };
}

try {
  process.stdout.write(`${main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error.code === "ENOENT" ? `There is no file ${error.path}.` : error.message}\n`);
  process.exitCode = 1;
}
