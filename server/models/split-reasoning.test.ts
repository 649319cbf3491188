import { describe, expect, test } from "vitest";
import { ReasoningSplitter } from "./split-reasoning";

/** Splits a text that comes in pieces of one size. */
function split(text: string, size: number) {
  const splitter = new ReasoningSplitter();
  const pieces = (text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []).flatMap((piece) => splitter.add(piece));
  let answer = "";
  let reasoning = "";
  for (const piece of [...pieces, ...splitter.end()]) {
    if (piece.kind === "text_was_reasoning") {
      reasoning += answer;
      answer = "";
    } else if (piece.kind === "text") answer += piece.text;
    else reasoning += piece.text;
  }
  return { answer, reasoning };
}

describe("thinking that a model writes into its text", () => {
  test.each([
    ["<think>Hm, let me see.</think>\n\nForty-two.", "Hm, let me see.", "Forty-two."],
    ["\n<Thinking>\nA\nB\n</thinking>Yes.\nAnd no.", "\nA\nB\n", "Yes.\nAnd no."],
    ["<reasoning>a < b</reasoning>b", "a < b", "b"],
    ["<think>one</think>\n<think>two</think>\nAnswer", "onetwo", "Answer"],
    ["<think>it never ends, and the answer", "it never ends, and the answer", ""],
    ["The user wants a number.\nSo: 42.\n</think>\n\nForty-two.", "The user wants a number.\nSo: 42.\n", "Forty-two."],
    ["[THINK]Hm.[/THINK]Done.", "Hm.", "Done."],
    ["First.\n<think>Wait.</think>\nThen.", "Wait.", "First.\n\nThen."],
    ["<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>", "Hm.", "Done."],
    ["<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>Line one.\nLine two.", "Hm.", "Line one.\nLine two."],
  ])("is no part of the answer: %j", (text, reasoning, answer) => {
    for (const size of [1, 2, 3, 5, 8, 1_000]) expect({ size, ...split(text, size) }).toEqual({ size, reasoning, answer });
  });

  test.each([
    "Write `<think>` around it, and `</think>` behind it.",
    "An example:\n```xml\n<think>\nHm.\n</think>\n```\nThat is all.",
    "The mark\n<think>\nopens a block.",
    "Use <think>a</think> in the middle of a line.",
    "~~~\n<reasoning>x</reasoning>\n~~~\n",
    " a < b\n<b>bold</b>\n<",
    "<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>",
    "  ",
  ])("is not seen in an answer that names or quotes the marks: %j", (text) => {
    for (const size of [1, 2, 3, 5, 8, 1_000]) expect({ size, ...split(text, size) }).toEqual({ size, reasoning: "", answer: text });
  });

  test("is passed on while it comes, and so is the answer", () => {
    const splitter = new ReasoningSplitter();
    expect(splitter.add("<think>A long thought that goes on and on, ")).toEqual([expect.objectContaining({ kind: "reasoning" })]);
    splitter.add("until it ends.</think>");
    expect(splitter.add("Forty")).toEqual([{ kind: "text", text: "Forty" }]);
    expect(splitter.add("-two")).toEqual([{ kind: "text", text: "-two" }]);
  });
});
