import { expect, test } from "vitest";
import { TextResponse } from "./text-response";

const made = () =>
  new TextResponse('{"a":"\u00fc"}', { status: 201, headers: { "content-type": "application/json", "x-request-id": "mine" } });

test("a text is at hand, and every other way to read a response works as well", async () => {
  expect(made()).toBeInstanceOf(Response);
  expect(made().wholeText).toBe('{"a":"\u00fc"}');
  expect(made().status).toBe(201);
  expect(made().headers.get("x-request-id")).toBe("mine");
  expect(await made().text()).toBe('{"a":"\u00fc"}');
  expect(await made().json()).toEqual({ a: "\u00fc" });
  expect((await made().bytes()).byteLength).toBe(10);
  expect((await made().arrayBuffer()).byteLength).toBe(10);
  expect((await made().blob()).size).toBe(10);
  const pieces: Uint8Array[] = [];
  for await (const piece of made().body ?? []) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('{"a":"\u00fc"}');
});

test("it is read once, like every response, and a copy of it can be read too", async () => {
  const response = made();
  const copy = response.clone();
  expect(response.bodyUsed).toBe(false);
  await response.text();
  expect(response.bodyUsed).toBe(true);
  await expect(response.text()).rejects.toThrow();
  expect(await copy.text()).toBe('{"a":"\u00fc"}');
});
