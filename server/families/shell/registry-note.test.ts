import { expect, test } from "vitest";
import { registryNote } from "./registry-note";

test.each([
  ["npm error code E403\nnpm error 403 403 Forbidden - GET https://r.test/left-pad", "refused this request (403)"],
  ["npm ERR! code E401\nnpm ERR! Unable to authenticate", "asks for a token (401)"],
  ["ERR_PNPM_FETCH_401  GET https://r.test/a: Unauthorized - 401", "asks for a token (401)"],
  ["ERROR: HTTP error 403 while getting https://r.test/simple/a/", "refused this request (403)"],
  ["pip._vendor.requests: 401 Client Error: Unauthorized for url: https://r.test/simple/a/", "asks for a token (401)"],
])("a registry that refuses with %j is told with the way out", (output, words) => {
  expect(registryNote(output, { isBoxed: true })).toContain(words);
  expect(registryNote(output, { isBoxed: true })).toContain("do not reach the sandbox");
  expect(registryNote(output, { isBoxed: false })).not.toContain("sandbox");
});

test.each(["npm error code E404", "curl: (22) The requested URL returned error: 403", "HTTP/1.1 401 Unauthorized", "tests: 403 passed"])(
  "%j says nothing of a registry",
  (output) => {
    expect(registryNote(output, { isBoxed: true })).toBeNull();
  },
);
