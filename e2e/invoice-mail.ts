import writeExcelFile from "write-excel-file/node";

/** A field of a form, its label and the value that somebody has typed. */
export type FormField = { label: string; value: string };

/** A PDF of one page with these lines, and with fields that hold their values in the form alone, not in the page's text. */
export function invoicePdf(lines: readonly string[], fields: readonly FormField[] = []): Uint8Array {
  const place = (at: number) => 760 - 24 * at;
  const textAt = (x: number, y: number, text: string) => `BT /F1 11 Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`;
  const texts = [...lines, ...fields.map(({ label }) => `${label}:`)].map((text, at) => textAt(60, place(at), text)).join("\n");
  const firstField = 6;
  const references = fields.map((_field, at) => `${firstField + at} 0 R`).join(" ");
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references}]/NeedAppearances true>>>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[${references}]>>`,
    `<</Length ${texts.length}>>stream\n${texts}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ...fields.map(({ label, value }, at) => {
      const y = place(lines.length + at) - 4;
      return `<</Type/Annot/Subtype/Widget/FT/Tx/T(${escaped(label)})/V(${escaped(value)})/Rect[200 ${y} 420 ${y + 18}]/DA(/F1 11 Tf)>>`;
    }),
  ];
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const end = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}${table}${end}`, "latin1");
}

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, "\\$&");

/** A workbook with one sheet. */
export async function workbook(sheet: string, rows: readonly (readonly (string | number | Date)[])[]): Promise<Uint8Array> {
  const data = rows.map((row) =>
    row.map((value) => {
      if (value instanceof Date) return { value, type: Date, format: "yyyy-mm-dd" };
      return typeof value === "number" ? { value, type: Number } : { value, type: String };
    }),
  );
  return new Uint8Array(await writeExcelFile([{ data, sheet }]).toBuffer());
}

export type MailAttachment = { name: string; type: string; bytes: Uint8Array };

/** A mail (RFC 5322) with a text and attachments. */
export function mailFile(headers: Record<string, string>, text: string, attachments: readonly MailAttachment[]): Uint8Array {
  const boundary = "----part-of-the-mail";
  const inBase64 = (bytes: Uint8Array) =>
    (
      Buffer.from(bytes)
        .toString("base64")
        .match(/.{1,76}/g) ?? []
    ).join("\r\n");
  const parts = [
    ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "", inBase64(Buffer.from(text))],
    ...attachments.map(({ name, type, bytes }) => [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename="${name}"`,
      "Content-Transfer-Encoding: base64",
      "",
      inBase64(bytes),
    ]),
  ];
  const head = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
  ];
  const body = parts.map((part) => [`--${boundary}`, ...part].join("\r\n")).join("\r\n");
  return Buffer.from(`${head.join("\r\n")}\r\n${body}\r\n--${boundary}--\r\n`);
}
