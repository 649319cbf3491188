import { expect, test } from "vitest";
import { Id, Timestamp } from "@/contracts/common";
import { isId, textUpTo, timestampOf } from "./address-parts";

test.each([
  "01890000-0000-7000-8000-000000000000",
  "01890000-0000-7000-8000-00000000000",
  "01890000-0000-0000-8000-000000000000",
  "01890000-0000-7000-c000-000000000000",
  "01890000-0000-7000-8000-000000000000 ",
  "new",
  "",
])("the console and the API agree whether %j is an id", (text) => {
  expect(isId(text)).toBe(Id.safeParse(text).success);
});

test.each(["2026-01-02T03:04:05Z", "0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "+010000-01-01T00:00:00Z"])(
  "the console and the API agree whether %s is a time to filter by",
  (text) => {
    const iso = new Date(text).toISOString();
    expect(timestampOf(new Date(text))).toBe(Timestamp.safeParse(iso).success ? iso : null);
  },
);

test("a text that the API refuses for its length is no filter", () => {
  expect(textUpTo(3, "abc")).toBe("abc");
  expect(textUpTo(3, "abcd")).toBeNull();
});
