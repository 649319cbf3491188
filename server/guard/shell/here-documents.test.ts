import { describe, expect, test } from "vitest";
import { withoutHereDocuments } from "./here-documents";

const long = "plain text\n".repeat(20);
const marked = (index: number) => `\uE003${index}\n`;

describe("the text of a long here-document", () => {
  test.each(["<<E", "<<-E", "<< E", "<<- \tE", "<<EOF", "<<'EOF'", '<<"EOF"', "<<E >out"])("is put aside behind %s", (operator) => {
    const delimiter = operator.replace(/\W+|out/g, "");
    const script = (body: string) => `ls\ncat ${operator}\n${body}${delimiter}\nid\n`;
    expect(withoutHereDocuments(script(long))).toEqual({ text: script(marked(0)), bodies: new Map([[marked(0), long]]) });
  });

  test("is put aside from 200 characters on", () => {
    const bodies = (body: string) => [...withoutHereDocuments(`${"#".repeat(200)}\ncat <<E\n${body}\nE\n`).bodies.values()];
    expect(bodies("x".repeat(199))).toEqual([`${"x".repeat(199)}\n`]);
    expect(bodies("x".repeat(198))).toEqual([]);
  });

  test("ends with the script, too", () => {
    expect(withoutHereDocuments(`cat <<EOF\n${long}EOF`).text).toBe(`cat <<EOF\n${marked(0)}EOF`);
    expect(withoutHereDocuments(`cat <<E\n${long}E\nid\nE`).text).toBe(`cat <<E\n${marked(0)}E\nid\nE`);
  });

  test("is put aside with each other one, whatever stands between them", () => {
    const other = long.toUpperCase();
    const script = (first: string, second: string) => `cat <<A\ncat <<E\n${first}E\nls <<E\nshort\nE\ncat <<E\n${second}E\nid`;
    expect(withoutHereDocuments(script(long, other))).toEqual({
      text: script(marked(0), marked(1)),
      bodies: new Map([
        [marked(0), long],
        [marked(1), other],
      ]),
    });
  });

  test("is put aside until there are too many to look at", () => {
    const script = (others: number) => `${"cat <<E\nE\n".repeat(others)}cat <<E\n${long}E\n`;
    expect(withoutHereDocuments(script(49)).bodies.size).toBe(1);
    expect(withoutHereDocuments(script(50)).bodies.size).toBe(0);
  });

  test("may expand something where its delimiter is quoted", () => {
    const bodies = (operator: string, sign: string) => withoutHereDocuments(`cat ${operator}\n${sign}${long}E\n`).bodies.size;
    expect(["$", "`", "\\"].map((sign) => bodies("<<'E'", sign))).toEqual([1, 1, 1]);
    expect(["$", "`", "\\"].map((sign) => bodies('<<"E"', sign))).toEqual([1, 1, 1]);
    expect(["$", "`", "\\"].map((sign) => bodies("<<E", sign))).toEqual([0, 0, 0]);
  });

  test.each([
    ["it has no end", `cat <<E\n${long}`],
    ["its end is not a line of its own", `cat <<E\n${long}EE\nxE\n`],
    ["nothing stands behind it", `id\n${long}E\ncat <<E`],
    ["it is empty, and what looks like its end comes later", `cat <<E\nE\n${long}E\nls`],
    ["its placeholder could be one of the script's own signs", `cat <<E\n${long}E\necho \uE003`],
    ["there is none", `${long}ls < E\nE\n`],
  ])("stays where %s", (_where, script) => {
    expect(withoutHereDocuments(script)).toEqual({ text: script, bodies: new Map() });
  });
});
