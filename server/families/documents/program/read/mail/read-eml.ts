import PostalMime, { type Address, type Email } from "postal-mime";
import { DocumentError } from "../../document-error.ts";
import type { Extracted } from "../../document-task.ts";
import { mailText, namedApart } from "./mail-text.ts";

const endings: Readonly<Record<string, string>> = {
  "message/rfc822": ".eml",
  "text/calendar": ".ics",
  "text/plain": ".txt",
  "text/html": ".html",
};

/** Reads a mail or a saved web page (MHTML) in MIME. */
export async function readEml(bytes: Uint8Array, maxChars: number): Promise<Extracted> {
  const email: Email = await PostalMime.parse(new Uint8Array(bytes), {
    forceRfc822Attachments: true,
    attachmentEncoding: "arraybuffer",
  }).catch((error: Error) => {
    throw new DocumentError("invalid", `The mail cannot be read: ${error.message.slice(0, 200)}.`);
  });
  const isPage = email.from === undefined && email.html !== undefined;
  const saved = email.headers.find(({ key }) => key === "snapshot-content-location")?.value ?? "";
  // A saved page consists of its resources; those of a mail are the pictures that its text shows.
  const isInlined = ({ related, mimeType, disposition }: Email["attachments"][number]) =>
    isPage ? disposition !== "attachment" : related === true && mimeType.startsWith("image/");
  const attached = email.attachments.filter((attachment) => !isInlined(attachment));
  const bytesOf = (content: ArrayBuffer | Uint8Array | string) =>
    typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  const read = mailText(
    {
      headers: [
        ["From", addresses(email.from && [email.from]) || (isPage ? "" : (email.sender && addresses([email.sender])) || "")],
        ["Reply-To", addresses(email.replyTo)],
        ["To", addresses(email.to)],
        ["Cc", addresses(email.cc)],
        ["Bcc", addresses(email.bcc)],
        ["Date", email.headers.find(({ key }) => key === "date")?.value ?? email.date ?? ""],
        ["Subject", email.subject ?? ""],
        ["Address", saved],
      ],
      text: email.text ?? "",
      html: email.html ?? "",
      attachments: namedApart(
        attached.map(({ filename, mimeType, content }, at) => ({
          name: filename ?? `attachment-${at + 1}${endings[mimeType] ?? ""}`,
          mediaType: mimeType,
          bytes: bytesOf(content),
        })),
      ),
      inlined: isPage ? 0 : email.attachments.filter(isInlined).length,
    },
    maxChars,
  );
  return isPage ? { ...read, method: "saved page", extent: "the whole page" } : read;
}

function addresses(list: readonly Address[] | undefined): string {
  return (list ?? [])
    .map((one) => {
      if (one.group) return `${one.name}: ${addresses(one.group)}`;
      return one.name && one.name !== one.address ? `${one.name} <${one.address}>` : (one.address ?? "");
    })
    .join(", ");
}
