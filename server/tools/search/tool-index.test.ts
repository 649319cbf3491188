import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenize } from "@/server/retrieval/tokenize";
import { splitRequest, withoutLiterals } from "./query-words";
import { relatedStems } from "./thesaurus";
import { ToolIndex, type ToolText } from "./tool-index";

const text = (given: Partial<ToolText>): ToolText => ({
  name: "",
  title: "",
  description: "",
  parameters: "",
  parameterTexts: "",
  source: "",
  ...given,
});

function indexOf(tools: Record<string, Partial<ToolText>>): ToolIndex {
  const index = new ToolIndex();
  for (const [name, given] of Object.entries(tools)) index.put(name, text({ name, ...given }));
  return index;
}

const all = () => true;
const search = (index: ToolIndex, query: string, limit = 5) => index.search(query, limit, all).map(({ name }) => name);

describe("a text is split", () => {
  test.each([
    ["camel and Pascal case", "getWeatherForecast HTMLParser", ["weather", "forecast", "html", "parser"]],
    ["snake and kebab case", "list_pull-requests", ["list", "pull", "request"]],
    ["at digits, with the whole name kept", "md5Hash s3", ["md5hash", "md", "hash", "s3"]],
    ["Chinese and Japanese into pairs", "天气预报 検索", ["天气", "气预", "预报", "検索"]],
    ["Korean beside Latin", "날씨API", ["날씨", "api"]],
    ["accents into plain letters", "Zürich café", ["zurich", "cafe"]],
  ])("%s", (_title, given, terms) => {
    const found = tokenize(given);
    for (const term of terms.map((one) => tokenize(one)[0] ?? one)) expect(found).toContain(term);
  });

  test("into the same stem for every form of a word, and into nothing for words such as 'the'", () => {
    expect(new Set(["search", "searches", "searching", "searched"].map((word) => tokenize(word)[0])).size).toBe(1);
    expect(tokenize("what is the, of a to")).toEqual([]);
  });

  test("whatever it is, without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (any) => tokenize(any).every((term) => term.length > 0)),
      { numRuns: 300 },
    );
  });
});

describe("a search finds", () => {
  const index = indexOf({
    git__git_log: { name: "git_log", description: "Shows the commit logs", source: "git" },
    fs__write_file: { name: "write_file", description: "Create a new file or overwrite one", parameters: "path content", source: "fs" },
    fs__list_directory: { name: "list_directory", description: "Get a listing of all files in a path", source: "fs" },
    weather__forecast: { name: "forecast", description: "Tells rain and sun", parameters: "city", source: "weather" },
    cn__search: { name: "search", description: "使用必应搜索网页内容", source: "cn" },
  });

  test.each([
    ["by name", "git log", "git__git_log"],
    ["by a related word", "contents of a folder", "fs__list_directory"],
    ["by a parameter", "city", "weather__forecast"],
    ["by source", "weather", "weather__forecast"],
    ["in Chinese", "搜索网页", "cn__search"],
    ["a file where the request has a path", "save this to /root/notes/todo.md", "fs__write_file"],
  ])("%s", (_title, query, name) => {
    expect(search(index, query)[0]).toBe(name);
  });

  test("by the name of the source in the request", () => {
    const tools = indexOf({
      notion__add: { name: "add", description: "Adds a comment", source: "notion" },
      other__add: { name: "add", description: "Adds a comment to a page, comments on pages", source: "other" },
    });
    expect(search(tools, "a comment in Notion")[0]).toBe("notion__add");
  });

  test("by words of other languages", () => {
    for (const query of ["eine Datei schreiben", "escribir un archivo", "写入文件"]) expect(search(index, query)[0]).toBe("fs__write_file");
  });

  test("tools of several sources, before one source fills the results", () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`big__mail_${at}`, { name: `mail_${at}`, description: "mail", source: "big" }]),
    );
    const found = search(
      indexOf({
        ...many,
        small__letter: { name: "letter", description: "Sends a letter or mail to people in an office", source: "small" },
      }),
      "mail",
    );
    expect(found).toContain("small__letter");
    expect(found).toHaveLength(5);
  });

  test("the tools of one source only, where those of others are much worse", () => {
    const many = Object.fromEntries(
      ["add", "get", "list", "move", "send", "sort"].map((verb) => [`big__${verb}_mail`, { name: `${verb}_mail`, source: "big" }]),
    );
    const description = "Plans a meeting of several people in a room of the office, and tells them the day by mail";
    const found = search(indexOf({ ...many, small__meeting: { name: "plan_meeting", description, source: "small" } }), "mail");
    expect(found).not.toContain("small__meeting");
    expect(found).toHaveLength(5);
  });

  test("a tool for each sentence of a request", () => {
    expect(search(index, "Show the last commits. Then tell me whether it will rain.", 2).sort()).toEqual([
      "git__git_log",
      "weather__forecast",
    ]);
  });

  test("nothing outside the agent's set, and nothing for words that no tool has", () => {
    expect(index.search("git log", 5, (name) => name !== "git__git_log").map(({ name }) => name)).not.toContain("git__git_log");
    expect(search(index, "xylophone")).toEqual([]);
    expect(search(index, "")).toEqual([]);
  });
});

test("a changed tool is found by its new words and no longer by its old ones", () => {
  const index = indexOf({ a: { description: "peels apples" }, b: { description: "paints walls" } });
  index.put("a", text({ name: "a", description: "digs holes" }));
  expect(search(index, "apples")).toEqual([]);
  expect(search(index, "digging")).toEqual(["a"]);
  index.remove("a");
  expect(search(index, "digging")).toEqual([]);
  expect(index.size).toBe(1);
});

test("a term that every tool has is still found after most tools were replaced", () => {
  const index = indexOf({ a: { description: "peels apples" }, b: { description: "sells apples" } });
  for (let round = 0; round < 20; round++) index.put("a", text({ name: "a", description: "peels apples" }));
  expect(search(index, "apples").sort()).toEqual(["a", "b"]);
});

test("an index after any changes finds what a new index of the same tools finds", () => {
  const words = ["apple", "wall", "river", "stone", "cloud"];
  const change = fc.tuple(fc.integer({ min: 0, max: 120 }), fc.option(fc.subarray(words, { minLength: 1 }), { freq: 3 }));
  fc.assert(
    fc.property(fc.array(change, { minLength: 150, maxLength: 300 }), (changes) => {
      const changed = new ToolIndex();
      const now = new Map<string, string>();
      for (const [number, described] of changes) {
        const name = `tool${number}`;
        if (described === null) {
          changed.remove(name);
          now.delete(name);
        } else {
          changed.put(name, text({ description: described.join(" ") }));
          now.set(name, described.join(" "));
        }
      }
      const fresh = new ToolIndex();
      for (const [name, description] of now) fresh.put(name, text({ description }));
      for (const word of words) expect(search(changed, word, 200).sort()).toEqual(search(fresh, word, 200).sort());
      expect(changed.size).toBe(now.size);
    }),
    { numRuns: 5 },
  );
});

test("a request is split into its steps, and paths and URLs are told as what they are", () => {
  expect(splitRequest("Find the paper. Save it, then print it; finally send it", 8)).toEqual([
    "Find the paper",
    "Save it",
    "print it",
    "finally send it",
  ]);
  expect(withoutLiterals("read /root/a b/c.pdf at https://example.com/x?y=1")).toBe("read  directory  b/c.pdf at  url ");
  expect(withoutLiterals("save to ./notes.md")).toContain("md file");
});

test("related words are general words, and related both ways", () => {
  const [folder, directory] = [tokenize("folder")[0] ?? "", tokenize("directory")[0] ?? ""];
  expect(relatedStems(folder)).toContain(directory);
  expect(relatedStems(directory)).toContain(folder);
  expect(relatedStems("constructor").size).toBe(0);
});
