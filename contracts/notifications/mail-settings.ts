import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

const mailAddress = z.email("must be an e-mail address").max(200);

export const MailSettings = z
  .object({
    server: z.string().describe("Host and port, such as `smtp.example.com:587`; empty: no mails are sent."),
    user: z.string(),
    hasPassword: z.boolean().describe("A password is stored; it is sealed and never shown."),
    sender: z.string().describe("The address from which mails come."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has set up a mail server."),
  })
  .meta({ id: "MailSettings" });
export type MailSettings = z.infer<typeof MailSettings>;

export const MailSettingsDraft = z
  .strictObject({
    server: z
      .string()
      .trim()
      .max(200)
      .regex(/^$|^([\w.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?$/, "must be a host with a port, such as smtp.example.com:587")
      .describe("Port 465 is TLS from the start; others begin TLS with STARTTLS."),
    user: z.string().trim().max(200).default("").describe("Empty: the server asks for no sign-in."),
    password: z.string().max(500).nullable().optional().describe("Stored sealed. Absent: the stored one stays; `null`: none."),
    sender: z.union([z.literal(""), mailAddress]),
  })
  .refine(({ server, sender }) => server === "" || sender !== "", { message: "needs an address", path: ["sender"] })
  .meta({ examples: [{ server: "smtp.example.com:587", user: "handrail", password: "example-password", sender: "handrail@example.com" }] });
export type MailSettingsDraft = z.infer<typeof MailSettingsDraft>;

export const MailTest = z
  .object({ to: z.string(), error: z.string().nullable().describe("Why the mail was not sent; `null`: the server took it.") })
  .meta({ id: "MailTest" });
export type MailTest = z.infer<typeof MailTest>;

export const mailSettingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/mail-settings",
    summary: "The mail server of the workspace, without its password",
    permission: "admin",
    response: MailSettings,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/mail-settings",
    summary: "Set the mail server of the workspace",
    headers: ["If-Match"],
    permission: "admin",
    body: MailSettingsDraft,
    response: MailSettings,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/mail-settings/test",
    summary: "Send a test mail with the saved settings",
    permission: "admin",
    body: z.strictObject({ to: mailAddress }).meta({ examples: [{ to: "ann@example.com" }] }),
    response: MailTest,
  }),
};

export const mailSettingsContract = defineContract({
  reference: { name: "Mail settings", description: "The SMTP server by which approvers get mails." },
  endpoints: mailSettingsEndpoints,
  audit: { "mail_settings.updated": "Mail settings updated" },
});
