import { agentEndpoints } from "@/contracts/agents/agents";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { modelEndpoints } from "@/contracts/models/models";
import { chatEndpoints } from "@/contracts/runs/chats";
import { runEndpoints } from "@/contracts/runs/runs";
import { artifactEndpoints } from "@/contracts/turns/artifacts";
import { buildPath } from "../caller";
import { type Callers, expect, test } from "../fixtures";
import { invoicePdf, mailFile, workbook } from "../invoice-mail";
import { officeText } from "../office-pages";
import { type AskedCompletion, type StreamedReply, startStreamingModelServer } from "../streaming-model-server";

test.setTimeout(600_000);

const key = "sk-of-the-report-123456";
const formats = ["pdf", "docx", "pptx", "xlsx"] as const;
const spreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A mail with the form of an invoice and its positions. */
async function invoiceMail(): Promise<Uint8Array> {
  const form = invoicePdf(
    ["Hafen & Soehne GmbH", "Invoice for maintenance"],
    [
      { label: "Invoice number", value: "RE-2026-0417" },
      { label: "Total EUR", value: "14,980.35" },
      { label: "IBAN", value: "DE02 1203 0000 0000 2020 51" },
    ],
  );
  const positions = await workbook("Positions", [
    ["No", "Article", "Net", "Delivered"],
    [1, "防水コネクタ 12極", 1_132.4, new Date("2026-11-05T00:00:00Z")],
    [2, "Installation", 2_125, new Date("2026-11-12T00:00:00Z")],
  ]);
  const headers = {
    From: "Billing <billing@hafen.example>",
    To: "accounts@example.com",
    Subject: "=?utf-8?B?UmVjaG51bmcgZsO8ciBOb3ZlbWJlcg==?=",
    Date: "Sat, 28 Nov 2026 09:14:02 +0100",
  };
  return mailFile(headers, "Anbei die Rechnung für November.\n", [
    { name: "invoice.pdf", type: "application/pdf", bytes: form },
    { name: "positions.xlsx", type: spreadsheetType, bytes: positions },
  ]);
}

const columns = 16;
const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const cells = (of: (at: number) => string): string[] => Array.from({ length: columns }, (_none, at) => of(at));

/** The report of what was read, with all that documents find hard. */
const reportOf = (total: string, article: string): string => `---
title: Audit of the invoice
author: Accounts payable
---

# Summary

The invoice of **${total} EUR** was checked against its order.[^order] The total is right ✅, the supplier 🏭 is known, and step 1️⃣ is done.
==Pay by 12 December.== Water is H~2~O, and 10^6^ is a million.

${article}は届きました。发票金额与订单一致。총액은 맞습니다.

## Method

The deviation is $\\sqrt{\\frac{1}{n}\\sum_{i=1}^{n} d_i^2}$, where

$$d_i = p_i q_i - a_i$$

1. Read the form.
2. Read the sheet:

   \`\`\`
   ${"SELECT position, quantity * unit_price AS amount FROM positions WHERE currency = 'EUR' ".repeat(2).trim()}
   \`\`\`

3. Compare both.

## Amounts

${row(cells((at) => `Amount ${at + 1}`))}
${row(cells(() => "--:"))}
${row(cells((at) => `${at + 1},132,405.50`))}
${row(cells((at) => `${at + 1},987,654.25`))}

[^order]: Order 4500012345, confirmed by mail.
`;

type Script = { replies: ((results: readonly string[]) => StreamedReply)[]; results: string[][] };

/** A model whose n-th reply follows the results of the reply before. */
function scriptedModel(...replies: Script["replies"]) {
  return startStreamingModelServer({
    key,
    models: ["large-model"],
    reply: ({ messages }: AskedCompletion) => {
      const steps = messages.filter(({ role }) => role === "assistant").length;
      const last = messages.findLastIndex(({ role }) => role === "assistant");
      const results = messages.slice(last + 1).filter(({ role }) => role === "tool");
      const texts = results.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
      return replies[steps]?.(texts) ?? { text: "Done." };
    },
  });
}

const calls = (...made: readonly [name: string, args: object][]): StreamedReply => ({
  toolCalls: made.map(([name, args], at) => ({ id: `${name}-${at}-${JSON.stringify(args).length}`, name, arguments: args })),
});
const artifactIn = (text: string, name: string): string => new RegExp(`${name} is (artifact:[\\w-]+)`).exec(text)?.[1] ?? `no ${name}`;

async function startRun(api: Callers, modelUrl: string, message: string, file: { name: string; bytes: Uint8Array }) {
  for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
  const models = [{ name: "large-model", inputPrice: null, cachedInputPrice: null, outputPrice: null }];
  const provider = { name: "Report lab", kind: "openai_compatible" as const, baseUrl: modelUrl, key, models };
  await api.admin.call(modelEndpoints.create, { body: provider });
  const agent = (await api.admin.call(agentEndpoints.list)).items.find(({ isDefault }) => isDefault);
  const { id: conversationId } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const added = await api.agent.fetch(
    buildPath(chatEndpoints.addFile.path, { params: { id: conversationId }, query: { name: file.name } }),
    {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: Buffer.from(file.bytes),
    },
  );
  expect(added.status, await added.clone().text()).toBe(201);
  const { path } = (await added.json()) as { path: string };
  const body = { message, conversationId, attachments: [path], wait: 60 };
  let run = await api.agent.call(runEndpoints.start, { params: { id: agent?.id ?? "" }, body });
  while (run.finishedAt === null) run = await api.agent.call(runEndpoints.get, { params: { id: run.id }, query: { wait: 60 } });
  return run;
}

test("the invoice of a mail is read, and a report on it is rendered in four formats with nothing raw and nothing cut", async ({ api }) => {
  const rendered: Record<string, string> = {};
  const texts: Record<string, string> = {};
  const model = await scriptedModel(
    () =>
      calls(
        ...["extract_document", ...formats.map((format) => `render_${format}`)].map((toolName): [string, object] => [
          "enable_tool",
          { toolName },
        ]),
      ),
    () => calls(["extract_document", { path: "uploads/invoice.eml" }]),
    ([mail = ""]) => {
      texts.mail = mail;
      return calls(
        ...["invoice.pdf", "positions.xlsx"].map((name): [string, object] => ["extract_document", { path: artifactIn(mail, name) }]),
      );
    },
    ([form = "", sheet = ""]) => {
      Object.assign(texts, { form, sheet });
      const total = /Total EUR:\s*([\d.,]+)/.exec(form)?.[1] ?? "no total";
      const article = /防水\S+/.exec(sheet)?.[0] ?? "no article";
      return calls(["write_file", { path: "report.md", content: reportOf(total, article) }]);
    },
    () => calls(...formats.map((format): [string, object] => [`render_${format}`, { path: "report.md", filename: "audit" }])),
    (results) => {
      for (const [at, format] of formats.entries()) rendered[format] = results[at] ?? "";
      return calls(
        ...formats.map((format): [string, object] => ["extract_document", { path: artifactIn(rendered[format] ?? "", `audit.${format}`) }]),
      );
    },
    (results) => {
      for (const [at, format] of formats.entries()) texts[format] = results[at] ?? "";
      return { text: "The report is ready." };
    },
  );
  try {
    const run = await startRun(api, model.url, "Check the invoice.", { name: "invoice.eml", bytes: await invoiceMail() });
    expect(run, JSON.stringify(run)).toMatchObject({ status: "succeeded" });
  } finally {
    await model.close();
  }

  expect(texts.mail).toContain("Rechnung für November");
  expect(texts.form).toMatch(/Invoice number:\s*RE-2026-0417/);
  expect(texts.form).toMatch(/IBAN:\s*DE02 1203 0000 0000 2020 51/);
  expect(texts.sheet).toContain("2026-11-05");

  for (const format of formats) {
    const text = (texts[format] ?? "").replaceAll(/\s+/g, " ");
    for (const words of ["14,980.35 EUR", "防水コネクタ", "发票金额与订单一致", "총액은 맞습니다", "Order 4500012345", "Compare both."]) {
      expect(text, `${format} holds ${words}`).toContain(words);
    }
    expect(text, `${format} has whole numbers`).toMatch(/16,?987,?654\.25/);
    expect(text, `${format} shows no marks of Markdown`).not.toMatch(/==Pay|\[\^order\]/);
    // A reader of PDF sees an emoji as a picture.
    if (format !== "pdf") expect(text).toContain("right ✅, the supplier 🏭");
    expect(rendered[format], `nothing of ${format} is left out`).not.toMatch(/left out|No installed font|written as letters|cannot read/);
  }

  const { items } = await api.agent.call(artifactEndpoints.list, { query: { query: "audit." } });
  for (const format of formats) {
    const artifact = items.find(({ name }) => name === `audit.${format}`);
    const answer = await api.agent.fetch(buildPath(artifactEndpoints.get.path, { params: { id: artifact?.id } }));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    // What LibreOffice shows of it, where this machine has LibreOffice.
    const shown = await officeText({ name: `audit.${format}`, bytes });
    if (shown === null) continue;
    expect(shown.pictures, `${format} has pages`).toBeGreaterThan(0);
    for (let at = 1; at <= columns; at++) expect(shown.text, `LibreOffice shows ${format} whole`).toContain(`${at},987,654.25`);
    expect(shown.text.replaceAll(/\s+/g, " ")).toMatch(/Pay by 12 December\..*Compare both\./);
    expect(shown.text, `LibreOffice shows no marks of Markdown in ${format}`).not.toMatch(/==|\*\*|\$|[~^][26][~^]|\\(?:frac|sqrt)/);
  }
});
