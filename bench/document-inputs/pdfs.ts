import { hebrewAt, pdfFile, textAt } from "../../server/families/documents/program/testing/pdf-file";
import { type Input, inputs } from "./input";

const form =
  (...fields: string[]) =>
  () =>
    pdfFile(
      { content: textAt(50, 700, "Company:"), annotations: fields.map((_, at) => `${20 + at} 0 R`) },
      `/AcroForm<</Fields[${fields.map((_, at) => `${20 + at} 0 R`).join(" ")}]>>`,
      fields.map((field, at) => `<</Type/Annot/Subtype/Widget/T(f${at})/P 3 0 R/F 4/Rect[150 697 300 712] ${field}>>`),
    );
const table =
  (...rows: (string | null)[][]) =>
  () =>
    pdfFile({
      content: rows
        .flatMap((cells, line) => cells.map((cell, at) => (cell === null ? "" : textAt(60 + at * 120, 720 - line * 16, cell))))
        .join(""),
    });
const page = (content: string) => () => pdfFile({ content });

export const pdfs: Input[] = [
  ...inputs("values of PDF forms", "pdf", [
    { file: form("/FT/Tx/V(Acme Ltd)"), must: ["Company:\tAcme Ltd"] },
    { file: form("/FT/Tx/V<FEFF00DC0062006500720020004100470020>"), must: ["Über AG"] },
    { file: form("/FT/Btn/V/On/AS/On"), must: ["☒"] },
    { file: form("/FT/Ch/V(b)/Opt[(a)(b)]"), must: ["b"] },
    { file: form("/FT/Tx"), must: ["1 empty"] },
  ]),
  ...inputs("empty cells of PDF tables", "pdf", [
    { file: table(["Name", "Phone", "City"], ["Ann", null, "Graz"]), must: ["Ann\t\tGraz"] },
    { file: table(["Name", "Phone", "City"], ["Ann", "1", "Graz"], [null, "2", "Linz"]), must: ["\t2\tLinz"] },
    { file: table(["A", "B", "C", "D"], ["1", null, null, "4"]), must: ["1\t\t\t4"] },
    { file: table(["Item", "Debit", "Credit"], ["Rent", "900", null], ["Sale", null, "700"]), must: ["Rent\t900", "Sale\t\t700"] },
  ]),
  ...inputs("right to left", "pdf", [
    { file: page(hebrewAt(50, 700, "ברוך הבא")), must: ["ברוך הבא"] },
    { file: page(hebrewAt(200, 700, "תאריך") + textAt(120, 700, "14.04.2025")), must: [/תאריך\s+14\.04\.2025/] },
    { file: page(hebrewAt(150, 700, "ראשון") + hebrewAt(100, 700, "שני") + hebrewAt(50, 700, "שלישי")), must: [/ראשון\s+שני\s+שלישי/] },
  ]),
  ...inputs("exponents and notes of PDF", "pdf", [
    { file: page(`${textAt(50, 700, "5 m")}${textAt(66, 704, "2", 6)}`), must: ["m^2^"] },
    { file: page(`${textAt(50, 700, "10")}${textAt(61.5, 704, "-9", 6)}${textAt(68, 700, " m")}`), must: ["10^-9^"] },
    {
      file: () =>
        pdfFile({ content: textAt(50, 700, "Text"), annotations: ["20 0 R"] }, "", [
          "<</Type/Annot/F 4/P 3 0 R/Subtype/Text/Rect[300 700 320 720]/Contents(Ask legal)/T(Zoe)>>",
        ]),
      must: ["Ask legal", "Zoe"],
    },
    {
      file: () =>
        pdfFile({ content: textAt(50, 700, "Site"), annotations: ["20 0 R"] }, "", [
          "<</Type/Annot/F 4/P 3 0 R/Subtype/Link/Rect[48 697 80 710]/A<</S/URI/URI(https://b.example/x)>>>>",
        ]),
      must: ["https://b.example/x"],
    },
    {
      file: () =>
        pdfFile({ content: textAt(50, 700, "Text"), annotations: ["20 0 R"] }, "", [
          "<</Type/Annot/F 4/P 3 0 R/Subtype/FreeText/Rect[100 600 200 620]/Contents(Stamp: paid)>>",
        ]),
      must: ["Stamp: paid"],
    },
  ]),
];
