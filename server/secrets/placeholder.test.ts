import { expect, test } from "vitest";
import { isPlaceholder, isTrivialAddress } from "./placeholder";

test.each(
  "test TEST example changeme change-me xxx xxxxxxxx *** ... ${TOKEN} $TOKEN %TOKEN% <token> {{token}} env:TOKEN your-api-key YOUR_KEY insert-token-here my-key-here dummy".split(
    " ",
  ),
)("%s only stands for a secret", (value) => {
  expect(isPlaceholder(value)).toBe(true);
});

test.each("hunter2 correct-horse-battery xxxy testx9Qa mysecretpass1 $ecret123! exampleKey9 admin root password".split(" "))(
  "%s may be a secret",
  (value) => {
    expect(isPlaceholder(value)).toBe(false);
  },
);

test.each<[match: string, after: string, isTrivial: boolean]>([
  ["://app:app", "@db/app", true],
  ["://postgres:postgres", "@localhost:5432/x", true],
  ["://postgres:password", "@127.0.0.1/x", true],
  ["://root:root", "@[::1]:3306", true],
  [":/app:app", "@db/app", true],
  ["://app:changeme", "@db.example.com/app", true],
  ["://app:app", "@db.example.com/app", false],
  ["://app:password", "@db.example.com/app", false],
  ["://app:hunter2", "@localhost/app", false],
  ["://app:app", "@localhost.example.com/app", false],
])("the password of %s%s is trivial: %s", (match, after, isTrivial) => {
  expect(isTrivialAddress(match.slice(match.lastIndexOf(":") + 1), match, after)).toBe(isTrivial);
});
