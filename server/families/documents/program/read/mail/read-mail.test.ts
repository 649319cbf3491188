import { describe, expect, test } from "vitest";
import { msgFile } from "../../testing/msg-file.ts";
import { reading } from "../../testing/office-file.ts";

const mail = (lines: readonly string[]) => Buffer.from(lines.join("\r\n"), "latin1");
const encoded = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

describe("a mail in MIME", () => {
  test("has its headers decoded, and its text in the declared charset", async () => {
    const { text } = await reading(
      "eml",
      mail([
        "From: =?iso-8859-1?Q?J=F6rg?= <joerg@a.example>",
        "To: Team: b@a.example, Carl <c@a.example>;",
        "Subject: =?utf-8?B?w4RuZGVydW5n?= =?utf-8?B?IDQy?=",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=windows-1252",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Stra=DFe: 5 =80",
      ]),
    );
    expect(text).toContain("From: Jörg <joerg@a.example>");
    expect(text).toContain("To: Team: b@a.example, Carl <c@a.example>");
    expect(text).toContain("Subject: Änderung 42");
    expect(text).toContain("Straße: 5 €");
  });

  const mixed = mail([
    "From: a@a.example",
    "Subject: Two files",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="m"',
    "",
    "--m",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    encoded('<p>See <b>both</b>.</p><div style="display:none">preview</div><table><tr><td>a</td><td>b</td></tr></table>'),
    "--m",
    'Content-Type: text/csv; name="../evil.csv"',
    "Content-Disposition: attachment",
    "",
    "x,y",
    "--m",
    "Content-Type: message/rfc822",
    "",
    "From: c@a.example",
    "Subject: Inner",
    "",
    "inner text",
    "--m--",
  ]);

  test("without a plain form is read from its HTML, without what a reader does not see", async () => {
    const read = await reading("eml", mixed);
    expect(read.text).toContain("See both.");
    expect(read.text).toContain("| a | b |");
    expect(read.text).not.toContain("preview");
    expect(read.notes).toContain("Left out: 7 characters of hidden text.");
  });

  test("hands over its attachments under plain names, a forwarded mail as well", async () => {
    const { attachments = [] } = await reading("eml", mixed);
    expect(attachments.map(({ name, mediaType }) => ({ name, mediaType }))).toEqual([
      { name: ".._evil.csv", mediaType: "text/csv" },
      { name: "attachment-2.eml", mediaType: "message/rfc822" },
    ]);
    const inner = await reading("eml", attachments[1]?.bytes ?? new Uint8Array());
    expect(inner.text).toContain("Subject: Inner\n\ninner text");
  });

  test("that is a saved page is read as a page", async () => {
    const page = mail([
      "Snapshot-Content-Location: https://a.example/page",
      "Subject: A page",
      "MIME-Version: 1.0",
      'Content-Type: multipart/related; type="text/html"; boundary="m"',
      "",
      "--m",
      "Content-Type: text/html",
      "Content-Location: https://a.example/page",
      "",
      "<html><body><h1>Head</h1><img src=x alt=Logo></body></html>",
      "--m",
      "Content-Type: image/png",
      "Content-Location: https://a.example/x",
      "Content-Transfer-Encoding: base64",
      "",
      encoded("png"),
      "--m--",
    ]);
    const read = await reading("eml", page);
    expect(read).toMatchObject({ method: "saved page", attachments: [] });
    expect(read.text).toContain("Address: https://a.example/page\n\n# Head\n\n[Picture: Logo]");
  });
});

test("a mail of Outlook has headers, text and attachments", async () => {
  const bytes = msgFile({
    subject: "Größe",
    from: "Ann",
    fromAddress: "ann@a.example",
    to: "Bob",
    toAddress: "bob@a.example",
    text: "Text of the mail",
    attachment: { name: "list.csv", content: "a,b" },
  });
  const read = await reading("msg", bytes);
  expect(read.text).toContain("From: Ann <ann@a.example>\nTo: Bob <bob@a.example>");
  expect(read.text).toContain("Subject: Größe\n\nText of the mail");
  expect(read.attachments).toEqual([
    { name: "list.csv", mediaType: "application/octet-stream", bytes: new Uint8Array(Buffer.from("a,b")) },
  ]);
});
