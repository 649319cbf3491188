import { describe, expect, test } from "vitest";
import { maxPathChars } from "../paths/followed-path";
import { textHints } from "./text-hints";

const plain = { mayHoldSecret: false, mayHoldPrivateKey: false, mayHide: false, mayBeSensitive: false };

describe("a text is looked at closely only where something may be in it", () => {
  test.each(["", "drafts/chapter-1.md", "a b\tc\r\nd", "./src/index.ts", "a/~b", "0", "Hello, world!"])("nothing in %j", (text) => {
    expect(textHints(text)).toMatchObject(plain);
  });

  test.each([
    ["", true],
    ["Hello, world!", true],
    ["~", true],
    ["a\tb", false],
    ["a\nb", false],
    ["caf\u00e9", false],
    ["\u007f", false],
    ["a password=hunter22", false],
    ["-----BEGIN RSA PRIVATE KEY-----", false],
  ])("%j may be shown as it is: %s", (text, isPlain) => expect(textHints(text).isPlain).toBe(isPlain));

  test.each([
    ["mayHide", "caf\u00e9"],
    ["mayHide", "a\u200bb"],
    ["mayHide", "\u0000"],
    ["mayHide", "\u001b[2J"],
    ["mayHide", "\u007f"],
    ["mayHoldSecret", "password=hunter22"],
    ["mayHoldSecret", "AKIAABCDEFGHIJKLMNOP"],
    ["mayHoldPrivateKey", "-----BEGIN RSA PRIVATE KEY-----"],
    ["mayHoldPrivateKey", "PuTTY-User-Key-File-2: ssh-rsa"],
    ["mayBeSensitive", "a/.env"],
    ["mayBeSensitive", "A/.SSH/config"],
    ["mayBeSensitive", "/etc/hosts"],
    ["mayBeSensitive", "a/id_rsa"],
    ["mayBeSensitive", "key.pem"],
    ["mayBeSensitive", "a/.e*"],
    ["mayBeSensitive", "a/.e?v"],
    ["mayBeSensitive", "a/.e[n]v"],
    ["mayBeSensitive", "a%2fb"],
    ["mayBeSensitive", "a\\b"],
  ] as const)("%s: %j", (sign, text) => expect(textHints(text)[sign]).toBe(true));

  test("a text longer than any path may be any path", () => {
    expect(textHints("a".repeat(maxPathChars))).toMatchObject({ mayBeSensitive: false });
    expect(textHints("a".repeat(maxPathChars + 1))).toMatchObject({ mayBeSensitive: true });
  });
});
