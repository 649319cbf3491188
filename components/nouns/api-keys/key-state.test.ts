import { expect, test } from "vitest";
import { keyState } from "./key-state";
import { findPreset } from "./scope-words";

const at = (time: string) => Date.parse(time);
const moment = "2026-06-01T00:00:00.000Z";

test("a key is good until it is revoked or its time is over", () => {
  expect(keyState({ revokedAt: null, expiresAt: null }, at(moment))).toBe("active");
  expect(keyState({ revokedAt: null, expiresAt: moment }, at(moment) - 1)).toBe("active");
  expect(keyState({ revokedAt: null, expiresAt: moment }, at(moment))).toBe("expired");
  expect(keyState({ revokedAt: moment, expiresAt: moment }, at(moment))).toBe("revoked");
});

test("scopes are recognised as what they are usually for, in any order", () => {
  expect(findPreset(["tools:read", "turns:write"])?.value).toBe("runtime");
  expect(findPreset(["tools:read"])).toBeNull();
});
