import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findRawText } from "./find-raw-text";

const component = `
import { Tooltip } from "@mantine/core";

export function Row({ todo, tool, people, isOpen }: Props) {
  return (
    <li title={todo.reason} aria-label={todo.content}>
      {todo.content}
      {isOpen ? tool.description : null} {people.join(", ")}
      <Tooltip label={tool.title}>
        <b>{\`\${todo.name} (you)\`}</b>
      </Tooltip>
      <RevealedText text={todo.comment} />
      <CodeText>{tool.name}</CodeText>
      <Own title={tool.title} />
      {spellHidden(tool.message)}
      {todo.count}
    </li>
  );
}

const columns = [{ heading: "Rule", cell: ({ name }) => name }];
const options = tools.map(({ id, name }) => ({ value: id, label: name }));
const saved = () => notifications.show({ message: \`\${tool.name} saved\` });
`.replaceAll("\\`", "`");

test("a text that others write is found where it is drawn as it is, and nowhere else", async () => {
  const found = await findRawText(component, "tsx");
  expect(found.map(({ text }) => text)).toEqual([
    "todo.reason",
    "todo.content",
    "tool.description",
    'people.join(", ")',
    "tool.title",
    "`${todo.name} (you)`",
    "name",
    "name",
    "`${tool.name} saved`",
  ]);
});

// Bidirectional and invisible characters make a text read as another one: `\u202Egnp.exe` reads as `exe.png`.
test("the console draws no text of agents, servers and people with its hidden characters in it", async () => {
  const files = globSync(["app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}"], {
    exclude: ["**/*.test.*", "components/kit/ui/text/revealed-text.tsx"],
  });
  const found = await Promise.all(
    files.map(async (file) => {
      const raw = await findRawText(readFileSync(file, "utf8"), file.endsWith("x") ? "tsx" : "ts");
      return raw.map(({ line, text }) => `${file}:${line}: ${text}`);
    }),
  );
  // Draw it with `<RevealedText text={…} />`, or with `spellHidden(…)` where only a string fits.
  expect(found.flat()).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
}, 60_000);
