import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { decodeBytes, detectEncoding, encodeText, inUtf8, namedEncoding, textOfFile } from "./text-encoding";

test.each([
  ["windows-1252", "Name;Straße\nMüller;Hauptstraße 5\n"],
  ["windows-1252", "Straße"],
  ["windows-1252", "Preis: 5 € – „gut“\n"],
  ["windows-1252", "¿Cómo? Año;Número\n"],
  ["gb18030", "姓名,城市\n王小明,北京\n"],
  ["big5", "姓名,城市\n王小明,台北\n"],
  ["shift_jis", "名前,都市\n山田太郎,東京\n"],
  ["euc-jp", "お名前,都市\n山田さん,東京です\n"],
  ["euc-kr", "이름,도시\n김철수,서울\n"],
  ["windows-1251", "Имя;Город\nИван;Москва\n"],
  ["koi8-r", "Имя;Город\nИван;Москва\n"],
  ["windows-1250", "Jméno;Město\nŽofie;Plzeň\nŁódź;Kraków\n"],
  ["windows-1253", "Όνομα;Πόλη\nΓιώργος;Αθήνα\n"],
  ["windows-1254", "Ad;Şehir\nAyşe;İstanbul\nÇağlar;Iğdır\n"],
  ["windows-1255", "שם;עיר\nדוד;תל אביב\n"],
  ["windows-1256", "الاسم;المدينة\nأحمد;القاهرة\n"],
  ["utf-16le", "a;b\nJosé;x\n"],
  ["utf-16be", "a;b\nJosé;x\n"],
])("a short list in %s is guessed: %j", (name, text) => {
  const bytes = iconv.encode(text, name);
  const encoding = detectEncoding(bytes);
  expect(encoding).toEqual({ name, by: "guess" });
  expect(decodeBytes(bytes, encoding)).toBe(text);
});

test("a mark and a declaration come before a guess", () => {
  expect(detectEncoding(Buffer.from("\uFEFFhi", "utf16le"))).toEqual({ name: "utf-16le", by: "mark" });
  expect(detectEncoding(iconv.encode("\uFEFFhi", "utf-32le"))).toEqual({ name: "utf-32le", by: "mark" });
  expect(detectEncoding(iconv.encode('<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>', "iso-8859-2"))).toEqual({
    name: "iso-8859-2",
    by: "declared",
  });
  expect(detectEncoding(iconv.encode("# -*- coding: cp1252 -*-\nx = 'é'\n", "windows-1252"))).toEqual({
    name: "windows-1252",
    by: "declared",
  });
  // A page that was saved in another encoding than it declares.
  expect(detectEncoding(Buffer.from('<meta charset="iso-8859-1">é')).name).toBe("utf-8");
});

test("broken bytes in UTF-8 are no other encoding, and a letter behind much ASCII counts", () => {
  expect(detectEncoding(Buffer.concat([Buffer.from("äöüß"), Buffer.from([0xff])])).name).toBe("utf-8");
  expect(detectEncoding(Buffer.concat([Buffer.alloc(100_000, "x\n"), iconv.encode("Straße Müller\n", "windows-1252")])).name).toBe(
    "windows-1252",
  );
  expect(detectEncoding(Buffer.from("日本".repeat(30_000)).subarray(0, 65_536), false).name).toBe("utf-8");
});

test("a binary file is no text", () => {
  expect(textOfFile(Buffer.from([0, 1, 2, 3, 0, 0, 9, 9]))).toBeNull();
  expect(textOfFile(iconv.encode("né", "windows-1252"))).toBe("né");
});

test("a text that arrives in pieces is decoded across them", async () => {
  async function* pieces() {
    for (const byte of iconv.encode("北京 é", "gb18030")) yield Buffer.from([byte]);
  }
  let text = "";
  for await (const piece of inUtf8(pieces(), { name: "gb18030" })) text += Buffer.from(piece).toString("utf8");
  expect(text).toBe("北京 é");
});

test("a character that an encoding does not have is not written as another one", () => {
  expect(encodeText("naïve", { name: "windows-1252" })).toEqual(iconv.encode("naïve", "windows-1252"));
  expect(encodeText("北", { name: "windows-1252" })).toBeNull();
  expect(namedEncoding("Latin1")).toEqual({ name: "windows-1252", by: "asked" });
  expect(namedEncoding("no-such")).toBeNull();
});
