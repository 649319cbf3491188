import { expect, test } from "vitest";
import { IncomingHeaders } from "./incoming-headers";

const received = { accept: "text/html", "set-cookie": ["a=1", "b=2"] };

test("headers of Node read like web headers, name by name and all together", () => {
  const headers = new IncomingHeaders(received);
  expect([headers.get("Accept"), headers.has("ACCEPT"), headers.get("set-cookie"), headers.get("host")]).toEqual([
    "text/html",
    true,
    "a=1, b=2",
    null,
  ]);
  expect([...headers]).toEqual([...new Headers({ accept: "text/html", "set-cookie": "a=1, b=2" })]);
  expect(new Request("http://localhost", { headers }).headers.get("accept")).toBe("text/html");
});

test("a name that every object has is no header", () => {
  const headers = new IncomingHeaders(received);
  expect([headers.get("constructor"), headers.get("__proto__"), headers.has("toString")]).toEqual([null, null, false]);
});

test("changed headers keep the others, and leave those of Node alone", () => {
  const headers = new IncomingHeaders(received);
  headers.set("accept", "application/json");
  headers.delete("set-cookie");
  expect([headers.get("accept"), headers.has("set-cookie"), received.accept]).toEqual(["application/json", false, "text/html"]);
});
