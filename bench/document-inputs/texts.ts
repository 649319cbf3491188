import iconv from "iconv-lite";
import { msgFile } from "../../server/families/documents/program/testing/msg-file";
import { packed } from "../../server/families/documents/program/testing/office-file";
import { type Input, inputs } from "./input";

const encoded =
  (text: string, encoding: string, options = {}) =>
  () =>
    iconv.encode(text, encoding, options);
const german = "Kunde;Ort\r\nMüller;Köln\r\nStraße;Fürth\r\nGröße;Österreich\r\n";
const chinese = "客户,城市,金额\n王伟,北京,一百元\n李娜,上海,二百元\n张敏,广州,三百元\n";
const japanese = "顧客,都市\n山田太郎,東京\n鈴木花子,大阪へようこそ\n";
const russian = "Клиент;Город\nИванов;Москва\nПетрова;Казань и область\n";
const korean = "고객,도시\n김민수,서울특별시\n이영희,부산광역시\n";
const mail =
  (...all: string[]) =>
  () =>
    Buffer.from(all.join("\r\n"), "latin1");
const outlook = (subject: string, text: string, attachment?: { name: string; content: string }) => () =>
  msgFile({
    subject,
    text,
    from: "Eva",
    fromAddress: "eva@a.example",
    to: "Ole",
    toAddress: "ole@a.example",
    ...(attachment ? { attachment } : {}),
  });
const rtf = (content: string) => () => Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${content}}`, "latin1");
const book = (chapters: Readonly<Record<string, string>>) => () =>
  packed({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    "b.opf": `<package><metadata><dc:title>Handbook</dc:title></metadata><manifest>${Object.keys(chapters)
      .map((name, at) => `<item id="c${at}" href="${name}"/>`)
      .join("")}</manifest><spine>${Object.keys(chapters)
      .map((_, at) => `<itemref idref="c${at}"/>`)
      .join("")}</spine></package>`,
    ...Object.fromEntries(Object.entries(chapters).map(([name, body]) => [name, `<html><body>${body}</body></html>`])),
  });

export const texts: Input[] = [
  ...inputs("encodings", "csv", [
    { file: encoded(german, "latin1"), must: ["Müller;Köln", "Straße"] },
    { file: encoded("Preis;5 €\r\nGröße;„groß“\r\n", "windows-1252"), must: ["5 €", "„groß“"] },
    { file: encoded(chinese, "gbk"), must: ["王伟,北京"] },
    { file: encoded(chinese, "gb18030"), must: ["李娜,上海"] },
    { file: encoded(japanese, "shift_jis"), must: ["山田太郎,東京"] },
    { file: encoded(japanese, "euc-jp"), must: ["鈴木花子,大阪へようこそ"] },
    { file: encoded(russian, "windows-1251"), must: ["Иванов;Москва"] },
    { file: encoded(russian, "koi8-r"), must: ["Петрова;Казань"] },
    { file: encoded(korean, "euc-kr"), must: ["김민수,서울특별시"] },
    { file: encoded(german, "utf16le", { addBOM: true }), must: ["Müller;Köln"] },
    { file: encoded(german, "utf16be", { addBOM: true }), must: ["Straße;Fürth"] },
    { file: encoded(german, "utf8", { addBOM: true }), must: [/Kunde;Ort/], mustNot: ["\uFEFF"] },
  ]),
  ...inputs("encodings of pages", "html", [
    {
      file: encoded('<html><head><meta charset="iso-8859-1"></head><body><p>Gr\u00f6\u00dfe</p></body></html>', "latin1"),
      must: ["Größe"],
    },
    {
      file: encoded(
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"></head><body><p>東京都</p></body></html>',
        "shift_jis",
      ),
      must: ["東京都"],
    },
    {
      file: encoded('<?xml version="1.0" encoding="windows-1251"?><html><body><p>Привет мир</p></body></html>', "windows-1251"),
      must: ["Привет мир"],
    },
  ]),
  ...inputs("hidden and merged in pages", "html", [
    { file: () => Buffer.from('<p>seen</p><div style="DISPLAY:NONE">ghost</div>'), must: ["seen", "hidden text"], mustNot: ["ghost"] },
    {
      file: () => Buffer.from("<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>4</td></tr></table>"),
      must: ["|  | 4 |"],
    },
    { file: () => Buffer.from("<p>10<sup>6</sup> H<sub>2</sub>O</p>"), must: ["10^6^", "H~2~O"] },
    { file: () => Buffer.from("<p>seen</p><template><p>ghost</p></template><script>ghost</script>"), must: ["seen"], mustNot: ["ghost"] },
  ]),
  ...inputs("mails", "eml", [
    {
      file: mail(
        "From: a@a.example",
        "Subject: =?iso-8859-15?Q?5_=A4?=",
        "Content-Type: text/plain; charset=iso-8859-15",
        "Content-Transfer-Encoding: 8bit",
        "",
        "Preis 7 \xa4",
      ),
      must: ["5 €", "7 €"],
    },
    {
      file: mail(
        "From: a@a.example",
        "Subject: x",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "plain words",
        "--b",
        "Content-Type: text/html",
        "",
        "<b>html words</b>",
        "--b--",
      ),
      must: ["plain words"],
    },
    {
      file: mail(
        "From: a@a.example",
        "Subject: x",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "see file",
        "--b",
        'Content-Type: application/pdf; name="bill.pdf"',
        "Content-Disposition: attachment; filename*=utf-8''B%C3%BCcher.pdf",
        "Content-Transfer-Encoding: base64",
        "",
        "JVBERg==",
        "--b--",
      ),
      must: ["see file", "Bücher.pdf"],
    },
    {
      file: mail(
        "From: =?gb2312?B?zfXOsA==?= <w@a.example>",
        "Subject: x",
        "Content-Type: text/plain; charset=gb2312",
        "Content-Transfer-Encoding: base64",
        "",
        "xOO6ww==",
      ),
      must: ["王伟", "你好"],
    },
  ]),
  ...inputs("mails of Outlook", "msg", [
    { file: outlook("Straße 5", "Please sign."), must: ["Subject: Straße 5", "Please sign.", "eva@a.example"] },
    { file: outlook("報告", "本文です"), must: ["Subject: 報告", "本文です"] },
    { file: outlook("List", "See the file.", { name: "Übersicht.csv", content: "a,b" }), must: ["Übersicht.csv", "See the file."] },
  ]),
  ...inputs("saved pages", "mhtml", [
    {
      file: mail(
        "Subject: P",
        "MIME-Version: 1.0",
        "Snapshot-Content-Location: https://c.example/",
        'Content-Type: multipart/related; type="text/html"; boundary="m"',
        "",
        "--m",
        "Content-Type: text/html; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "<html><body><h1>Caf=C3=A9</h1></body></html>",
        "--m--",
      ),
      must: ["# Café", "https://c.example/"],
    },
    {
      file: mail(
        "From: <Saved by Blink>",
        "Subject: Q",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related; type="text/html"; boundary="m"',
        "",
        "--m",
        "Content-Type: text/html",
        "Content-Location: https://d.example/",
        "",
        "<html><body><ul><li>one<li>two</ul></body></html>",
        "--m--",
      ),
      must: ["- one", "- two"],
    },
    {
      file: mail(
        "From: <Saved by Blink>",
        "Subject: R",
        "MIME-Version: 1.0",
        'Content-Type: multipart/related; type="text/html"; boundary="m"',
        "",
        "--m",
        "Content-Type: text/html",
        "",
        "<html><body><p>x</p><p hidden>ghost</p></body></html>",
        "--m--",
      ),
      must: ["hidden text"],
      mustNot: ["ghost"],
    },
  ]),
  ...inputs("RTF", "rtf", [
    { file: rtf("Gr\\'f6\\'dfe \\u20013? 10{\\super 6}"), must: ["Größe 中 10^6^"] },
    { file: rtf("seen {\\v ghost}end"), must: ["hidden text"], mustNot: ["ghost"] },
    { file: rtf("\\trowd\\cellx1\\cellx2\\cellx3\\intbl a\\cell\\cell c\\cell\\row"), must: ["| a |  | c |"] },
    { file: rtf("Fee{\\footnote net of tax} due"), must: ["net of tax"] },
    { file: rtf("a{\\deleted gone}b"), must: ["ab"], mustNot: ["gone"] },
  ]),
  ...inputs("EPUB", "epub", [
    { file: book({ "a.xhtml": "<h1>First</h1><p>words</p>", "b.xhtml": "<h1>Second</h1>" }), must: [/# First[\s\S]*# Second/, "Handbook"] },
    { file: book({ "z.xhtml": "<h1>Zed</h1>", "a.xhtml": "<h1>Ay</h1>" }), must: [/# Zed[\s\S]*# Ay/] },
    {
      file: book({ "a.xhtml": "<p>m<sup>2</sup></p><table><tr><td>1</td><td></td><td>3</td></tr></table>" }),
      must: ["m^2^", "| 1 |  | 3 |"],
    },
  ]),
];
