import type { Attachment, Extracted } from "../../document-task.ts";
import { LeftOut } from "../left-out.ts";
import { addHtml } from "../read-html.ts";
import { TextBudget } from "../text-budget.ts";

const maxHtmlChars = 8 * 1_048_576;

/** A mail in the form that all kinds of mail files share. */
export type Mail = {
  headers: readonly [name: string, value: string][];
  text: string;
  html: string;
  attachments: readonly Attachment[];
  /** Pictures within the text. */
  inlined: number;
};

/** Writes a mail: its headers, its text, and the names of its attachments. */
export function mailText({ headers, text, html, attachments, inlined }: Mail, maxChars: number): Extracted {
  const budget = new TextBudget(maxChars);
  for (const [name, value] of headers) if (value.trim() !== "") budget.add(`${name}: ${value.replaceAll(/\s+/g, " ").trim()}`);
  const page = html.trim() === "" ? null : pageText(html, maxChars);
  // The plain form of a mail often only says that there is another, or lost its tables.
  const isHtmlBetter = page !== null && (text.trim().length < page.text.length / 2 || /^\|( ---+ \|)+$/m.test(page.text));
  budget.add(`\n${(isHtmlBetter ? page.text : text).replaceAll("\r\n", "\n").trim()}`);
  if (attachments.length > 0) {
    budget.add("\nAttachments:");
    for (const { name, mediaType, bytes } of attachments)
      budget.add(`- ${name} (${mediaType}, ${bytes.byteLength.toLocaleString("en")} bytes)`);
  }
  const pictures = inlined > 0 ? [`Left out: ${inlined} picture${inlined === 1 ? "" : "s"} within the text.`] : [];
  return {
    text: budget.toString(),
    method: isHtmlBetter ? "mail, HTML form" : "mail",
    extent: "the whole mail",
    isTruncated: budget.isTruncated,
    notes: [...pictures, ...(isHtmlBetter ? page.notes : [])],
    attachments,
  };
}

function pageText(html: string, maxChars: number): { text: string; notes: string[] } {
  const budget = new TextBudget(maxChars);
  const leftOut = new LeftOut();
  addHtml(html.slice(0, maxHtmlChars), budget, leftOut);
  return { text: budget.toString(), notes: [...leftOut.sentences(), ...(html.length > maxHtmlChars ? ["The mail is cut at 8 MiB."] : [])] };
}

/** Gives each attachment a plain name of its own. */
export function namedApart(attachments: readonly Attachment[]): Attachment[] {
  const names = new Set<string>();
  return attachments.map((attachment, at) => {
    const plain = attachment.name
      .replaceAll(/[\p{Cc}\p{Bidi_Control}/\\]/gu, "_")
      .trim()
      .slice(0, 150);
    const base = plain === "" || /^\.+$/.test(plain) ? `attachment-${at + 1}` : plain;
    let name = base;
    for (let copy = 2; names.has(name.toLowerCase()); copy += 1) name = base.replace(/(\.[^.]*)?$/, ` (${copy})$1`);
    names.add(name.toLowerCase());
    return { ...attachment, name };
  });
}
