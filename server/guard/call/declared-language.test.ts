import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, mcpTool, readTool, shellTool } from "@/server/testing/guard/guarded-calls";
import { findDeclaredLanguage, findSourceTexts, isShellNamed, type Language, mayRunPrograms } from "./declared-language";

describe("the language of a call", () => {
  test.each<[value: string, language: Language]>([
    ["sh", "shell"],
    ["bash", "shell"],
    ["zsh", "shell"],
    ["dash", "shell"],
    ["ksh", "shell"],
    ["ash", "shell"],
    [" Shell ", "shell"],
    ["terminal", "shell"],
    ["powershell", "powershell"],
    ["pwsh", "powershell"],
    ["ps1", "powershell"],
    ["python", "python"],
    ["python3.12", "python"],
    ["py", "python"],
    ["ipython", "python"],
    ["jupyter", "python"],
    ["javascript", "javascript"],
    ["node22", "javascript"],
    ["ts", "javascript"],
    ["deno", "javascript"],
    ["bun", "javascript"],
    ["ruby", "other"],
    ["r", "other"],
    ["bashful", "other"],
    ["xbash", "other"],
    ["shells", "other"],
    ["xshell", "other"],
    ["terminals", "other"],
    ["xterminal", "other"],
    ["xpython", "other"],
    ["pythonic", "other"],
    ["xpwsh", "other"],
    ["pwshx", "other"],
    ["xjs", "other"],
    ["jsx", "other"],
    ["", "other"],
  ])("%j is %s", (value, language) => {
    expect(findDeclaredLanguage(buildRequest(mcpTool, { language: value }))).toBe(language);
    expect(isShellNamed(value)).toBe(language === "shell");
  });

  test.each(examples`
    lang ¦ language ¦ runtime ¦ interpreter ¦ kernel ¦ shellType ¦ shell_type ¦ LANGUAGE
  `)("is declared in an argument %s", (name) => expect(findDeclaredLanguage(buildRequest(mcpTool, { [name]: "py" }))).toBe("python"));

  test.each<[tool: string, args: JsonObject, language: Language | null]>([
    ["notes__save", { languages: "py" }, null],
    ["notes__save", { sublang: "py" }, null],
    ["notes__save", { language: 5 }, null],
    ["notes__save", { title: "x", language: 5, lang: "py" }, "python"],
    ["sandbox__run_python", {}, "python"],
    ["sandbox__runPython", {}, "python"],
    ["sandbox__run_python", { language: "bash" }, "shell"],
    ["node__exec", {}, "javascript"],
    ["js-repl", {}, "javascript"],
    ["ruby_eval", {}, "other"],
    ["py2run", {}, null],
    ["sandbox__run_bash", {}, null],
    ["bash__run_python", {}, "python"],
    ["python__docs", {}, null],
    ["rerun__python", {}, null],
    ["runs__python", {}, null],
    ["sandbox__powershell", {}, "powershell"],
    ["pwsh", {}, "powershell"],
    ["run_pwsh_python", {}, "powershell"],
    ["run", {}, null],
  ])("of %s with %j is %s", (name, args, language) => {
    expect(findDeclaredLanguage(buildRequest({ ...mcpTool, name }, args))).toBe(language);
  });

  test.each(examples`
    run ¦ exec ¦ execute ¦ eval ¦ evaluate ¦ repl ¦ interpreter ¦ code ¦ notebook ¦ cell
  `)("is in the name of a tool that says %s", (word) => {
    expect(findDeclaredLanguage(buildRequest({ ...mcpTool, name: `python_${word}` }, {}))).toBe("python");
  });
});

test("a tool may run programs that has a shell or another server, or says so in its name", () => {
  expect(mayRunPrograms(shellTool)).toBe(true);
  expect(mayRunPrograms(mcpTool)).toBe(true);
  expect(mayRunPrograms(readTool)).toBe(false);
  const named = (name: string) => mayRunPrograms({ ...readTool, name });
  expect(["xCodex", "rerun", "Exec", "subshell"].map(named)).toEqual([true, true, true, true]);
});

test("the program texts of a call stand in arguments that are named so, and in the tool's primary one", () => {
  const sources = (args: JsonObject) => findSourceTexts(buildRequest({ ...shellTool, primaryArgument: "what" }, args));
  for (const name of "code source source_code sourceCode script program cell snippet content input command Code what".split(" "))
    expect(sources({ [name]: "a", title: "b" })).toEqual(["a"]);
  expect(sources({ codes: "a", xcode: "b", code: 5, what: ["c"] })).toEqual([]);
});
