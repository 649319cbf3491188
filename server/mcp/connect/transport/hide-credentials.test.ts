import { expect, test } from "vitest";
import { credentialsIn, hideCredentials } from "./hide-credentials";

const credentials = credentialsIn({
  API_TOKEN: "tok-9f8e7d6c5b4a",
  NODE_ENV: "production",
  DATA_DIR: "/srv/data",
  Authorization: "Bearer abcdefgh1234",
});

test("credentials of a server's settings are known by their names, not every setting is one", () => {
  expect(credentials).toEqual(["tok-9f8e7d6c5b4a", "abcdefgh1234"]);
});

test("a server that prints its credential back shows it to no model: in results, errors and progress", () => {
  const result = {
    content: [{ type: "text" as const, text: "production: token=tok-9f8e7d6c5b4a in /srv/data" }],
    structuredContent: { env: [{ value: "Bearer abcdefgh1234" }] },
  };
  const shown = hideCredentials({ jsonrpc: "2.0", id: 1, result }, credentials);
  expect(shown).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      content: [{ type: "text", text: "production: token=to***4a in /srv/data" }],
      structuredContent: { env: [{ value: "Bearer ab***34" }] },
    },
  });
  const refused = hideCredentials({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "bad tok-9f8e7d6c5b4a" } }, credentials);
  expect(refused).toMatchObject({ id: 2, error: { code: 1, message: "bad to***4a" } });
  const params = { progressToken: 1, progress: 1, message: "sent abcdefgh1234" };
  expect(hideCredentials({ jsonrpc: "2.0", method: "notifications/progress", params }, credentials)).toMatchObject({
    params: { message: "sent ab***34" },
  });
});

test("a short value is no reason to change an answer, because it may be a word of it", () => {
  const message = { jsonrpc: "2.0" as const, id: 1, result: { content: [{ type: "text", text: "the test is over" }] } };
  expect(hideCredentials(message, credentialsIn({ TOKEN: "test" }))).toEqual(message);
});
