import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeText } from "./code-text";
import { RevealedText } from "./revealed-text";

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");

test("hidden characters are spelt out in a text and in texts beside elements", () => {
  expect(textOf(renderToStaticMarkup(<RevealedText text={"\u202egnp.exe"} />))).toBe("U+202Egnp.exe");
  const mixed = (
    <CodeText>
      a{"\u200b"}b <b>c</b> {7} {null}
    </CodeText>
  );
  expect(textOf(renderToStaticMarkup(mixed))).toBe("aU+200Bb c 7 ");
  expect(renderToStaticMarkup(<RevealedText text={null} />)).toBe("");
});
