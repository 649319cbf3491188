import { expect, test } from "vitest";
import { blankHereDocuments } from "./here-documents";

const long = "a line $x of a file; with (signs)\n".repeat(10);

test("a long here-document without expansions is blanked, and every position stays", () => {
  const script = `cat > a <<'EOF'\n${long}EOF\nls; cat <<"END"\n${long}END`;
  const { text, bodies } = blankHereDocuments(script);
  expect(text).toHaveLength(script.length);
  expect(bodies.map(({ start, end }) => script.slice(start, end))).toEqual([long, long]);
  expect(text).not.toContain("signs");
  expect(text.endsWith("\nEND")).toBe(true);
});

test.each([
  ["a short one", "cat <<EOF\nhello\nEOF\n"],
  ["one in which something is expanded", `cat <<EOF\n${long}EOF\n`],
  ["one that never ends", `cat <<'EOF'\n${long}`],
  ["a script without any", "ls -la"],
  ["an operator on the last line", "cat <<'EOF'"],
])("%s stays as it is", (_what, script) => expect(blankHereDocuments(script)).toEqual({ text: script, bodies: [] }));
