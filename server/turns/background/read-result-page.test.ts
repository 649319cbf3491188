import { expect, test } from "vitest";
import { submitCalls, useStage } from "@/server/testing/stage";
import { readResultPage } from "./read-result-page";

const stage = useStage();
const whole = { offset: 0, column: 1, lines: 200 };

/** A page without its line numbers and without the sentence about what comes next. */
const textOf = (page: string) => page.replace(/\n\[[^\]]*\]$/, "").replaceAll(/^ *\d+\t/gm, "");

test("a job's result is read by lines, and each page says where the next one begins", async () => {
  const job = { content: "one\ntwo\nthree\n", truncated: null };
  expect(textOf(await readResultPage(job, whole))).toBe(job.content);
  const first = await readResultPage(job, { ...whole, lines: 2 });
  expect(first).toContain("[3 lines in all; go on with offset 2]");
  expect(textOf(await readResultPage(job, { ...whole, offset: 2 }))).toBe("three\n");
  await expect(readResultPage(job, { ...whole, offset: 3 })).rejects.toMatchObject({ code: "invalid" });
});

test("every character of a result that was cut for the model can be read, also of one endless line", async () => {
  const turn = await submitCalls(stage, [["flood", { chars: 100_000 }]]);
  const [call] = turn.calls;
  if (!call?.truncated) throw new Error("the result was not cut");
  const { content, truncated } = call;
  const texts: string[] = [];
  for (let column: number | null = 1; column !== null; ) {
    const page = await readResultPage({ content, truncated }, { ...whole, column });
    texts.push(textOf(page));
    const next = /column (\d+)\]$/.exec(page)?.[1];
    column = next ? Number(next) : null;
  }
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.join("")).toBe(`${"x".repeat(99_996)}last`);
});
