import { decompressRTF } from "@kenjiuno/decompressrtf";
import MsgReaderModule, { type FieldsData } from "@kenjiuno/msgreader";
import { DocumentError } from "../../document-error.ts";
import type { Attachment, Extracted } from "../../document-task.ts";
import { decoderOf, rtfText } from "../rtf/rtf-text.ts";
import { mailText, namedApart } from "./mail-text.ts";

// A CommonJS package: its class stands in `default` of `default` here.
const MsgReader = ((MsgReaderModule as unknown as { default?: typeof MsgReaderModule }).default ??
  MsgReaderModule) as typeof MsgReaderModule;

/** Reads a mail that Outlook saved. */
export function readMsg(bytes: Uint8Array, maxChars: number): Extracted {
  const copy = new Uint8Array(bytes);
  const reader = new MsgReader(copy.buffer);
  const mail = reader.getFileData();
  if (mail.error) throw new DocumentError("invalid", `The mail cannot be read: ${mail.error.slice(0, 200)}.`);
  const inlined = (mail.attachments ?? []).filter(({ attachmentHidden, pidContentId }) => attachmentHidden && pidContentId);
  const attachments: Attachment[] = (mail.attachments ?? [])
    .filter((attachment) => !inlined.includes(attachment))
    .map((attachment, at) => {
      const { fileName, content } = reader.getAttachment(attachment);
      const isMail = attachment.innerMsgContent === true;
      return {
        name: fileName || attachment.fileName || `attachment-${at + 1}${isMail ? ".msg" : ""}`,
        mediaType: isMail ? "application/vnd.ms-outlook" : attachment.attachMimeTag || "application/octet-stream",
        bytes: new Uint8Array(content),
      };
    });
  return mailText(
    {
      headers: [
        ["From", personOf(mail.senderName, mail.senderSmtpAddress ?? mail.senderEmail)],
        ...(["to", "cc", "bcc"] as const).map((kind): [string, string] => [
          `${kind[0]?.toUpperCase()}${kind.slice(1)}`,
          recipients(mail, kind),
        ]),
        ["Date", mail.messageDeliveryTime ?? mail.clientSubmitTime ?? mail.creationTime ?? ""],
        ["Begins", mail.apptStartWhole ?? ""],
        ["Ends", mail.apptEndWhole ?? ""],
        ["Place", mail.apptLocation ?? ""],
        ["Subject", mail.subject ?? ""],
      ],
      ...bodyOf(mail),
      attachments: namedApart(attachments),
      inlined: inlined.length,
    },
    maxChars,
  );
}

function bodyOf(mail: FieldsData): { text: string; html: string } {
  const text = mail.body ?? "";
  const html = mail.bodyHtml ?? (mail.html ? decoderOf(mail.internetCodepage ?? 65_001).decode(mail.html) : "");
  if (text !== "" || html !== "" || !mail.compressedRtf) return { text, html };
  return { text: rtfText(Uint8Array.from(decompressRTF([...mail.compressedRtf])), Number.MAX_SAFE_INTEGER).text, html: "" };
}

const personOf = (name = "", address = ""): string => (address && address !== name ? `${name} <${address}>`.trim() : name);

function recipients(mail: FieldsData, kind: "to" | "cc" | "bcc"): string {
  const list = (mail.recipients ?? []).filter(({ recipType }) => (recipType ?? "to") === kind);
  return list.map(({ name, smtpAddress, email }) => personOf(name, smtpAddress ?? email)).join(", ");
}
