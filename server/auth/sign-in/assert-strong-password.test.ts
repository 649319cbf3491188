import { expect, test } from "vitest";
import { assertStrongPassword } from "./assert-strong-password";

const about = ["Ann Miller", "ann.miller@example.com"];

test.each([
  "password1234",
  "aaaaaaaaaaaa",
  "qwertyuiop123",
  "123456789012",
  "abcabcabcabc",
  "handrail2026",
  "annmillerannmiller",
  "passwordpassword",
])("%s is refused, because guessers try it early", async (password) => {
  await expect(assertStrongPassword(password, about)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "password" }] },
  });
});

test.each([
  "velvet anchor 71 mosaic",
  "kT9#vPq2!mZx",
  "7f3a1c9e-4b2d-4f6a-9c1e-2d3b4a5c6d7e",
  "zu viele Köche verderben",
  `${"x".repeat(60)}kT9#vPq2!mZx`,
])("%s is taken", async (password) => {
  await expect(assertStrongPassword(password, about)).resolves.toBeUndefined();
});
