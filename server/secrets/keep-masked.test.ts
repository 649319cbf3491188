import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { keepMasked } from "./keep-masked";
import { maskSecrets } from "./mask-secrets";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const original: JsonObject = {
  command: `curl -H authorization:${token} https://a.example`,
  password: "hunter2hunter2",
  list: [{ token: "abcdefghijklmnop1" }],
  n: 1,
};
const masked = () => structuredClone(maskSecrets(original)) as JsonObject;

test("a masked form that comes back untouched is the original", () => {
  expect(keepMasked(masked(), original)).toEqual({ value: original, lost: null });
});

test("a change beside a mask keeps the secret", () => {
  const form = masked();
  const edited = { ...form, command: String(form.command).replace("a.example", "b.example"), n: 2 };
  expect(keepMasked(edited, original)).toEqual({
    value: { ...original, command: `curl -H authorization:${token} https://b.example`, n: 2 },
    lost: null,
  });
});

test("a secret that is written anew takes the old one's place", () => {
  expect(keepMasked({ ...masked(), password: "another-word" }, original).value.password).toBe("another-word");
});

test("a mask inside another word, or at another place, is not put back, and is named", () => {
  const form = masked();
  expect(keepMasked({ ...form, command: `echo x${form.password}x` }, original).lost).toBe("command");
  expect(keepMasked({ ...form, n: String(form.password) }, original)).toMatchObject({ lost: "n", value: { n: form.password } });
  expect(keepMasked({ ...form, list: [{ token: form.password ?? "" }] }, original).lost).toBe("list.0.token");
});

test("equal masks come back in their order, or none of them is put back", () => {
  const two: JsonObject = { command: "use password=aaaaaaaa one then password=bbbbbbbb two" };
  const shown = String((maskSecrets(two) as JsonObject).command);
  expect(shown).not.toMatch(/aaaaaaaa|bbbbbbbb/);
  expect(keepMasked({ command: shown.replace("two", "three") }, two)).toEqual({
    value: { command: "use password=aaaaaaaa one then password=bbbbbbbb three" },
    lost: null,
  });
  const [mask = ""] = shown.split(" ").filter((word) => word.includes("***"));
  expect(keepMasked({ command: `use ${mask} one` }, two).lost).toBe("command");
  expect(keepMasked({ command: `${shown} ${mask}` }, two).lost).toBe("command");
});

test("a list that got shorter gets no secret back", () => {
  const list: JsonObject = { list: [{ token: "abcdefghijklmnop1" }, { token: "abcdefghijklmnop2" }] };
  const shown = (maskSecrets(list) as { list: JsonObject[] }).list;
  expect(keepMasked({ list: [shown[1] ?? {}] }, list).lost).toBe("list.0.token");
});
