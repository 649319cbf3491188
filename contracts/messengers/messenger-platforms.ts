import { z } from "zod";

export const messengerPlatforms = [
  "telegram",
  "slack",
  "email",
  "discord",
  "whatsapp",
  "line",
  "lark",
  "dingtalk",
  "wecom",
  "teams",
  "google_chat",
  "website",
] as const;
export type MessengerPlatform = (typeof messengerPlatforms)[number];

/** `webhook`: the platform calls us. `connection`: one replica keeps a connection to the platform, so no public address is needed. */
export const messengerTransports = ["webhook", "connection"] as const;
export type MessengerTransport = (typeof messengerTransports)[number];

export type PlatformField = {
  name: string;
  label: string;
  description: string;
  /** Kept sealed and never shown again. */
  isSecret?: true;
  /** Transports that need the field; absent: both. */
  neededBy?: readonly MessengerTransport[];
  isOptional?: true;
  /** `sites`: addresses of sites with spaces between. `perMinute`: a whole number from 1 to 10,000. */
  format?: "sites" | "perMinute";
};

export type PlatformFacts = {
  title: string;
  /** Browsers of strangers fetch its chats: they are told nothing of settings and providers. */
  isVisited?: true;
  transports: readonly MessengerTransport[];
  fields: readonly PlatformField[];
  /** Steps on the platform, in order; `{address}` stands for the callback address. */
  steps: Readonly<Partial<Record<MessengerTransport, readonly string[]>>>;
  /** A line for the pages of a site, with `{origin}` of Handrail and `{id}` of the messenger. */
  pasted?: string;
};

const apiUrl = (usual: string): PlatformField => ({
  name: "apiUrl",
  label: "API address",
  description: `Only for a server of your own or a proxy. The usual address is ${usual}.`,
  isOptional: true,
});

/** Settings of each platform; the form, the check of a draft and the page draw on it. */
export const platformFacts: Readonly<Record<MessengerPlatform, PlatformFacts>> = {
  telegram: {
    title: "Telegram",
    transports: ["connection", "webhook"],
    fields: [
      { name: "token", label: "Bot token", description: "From @BotFather, such as 123456:ABC-DEF.", isSecret: true },
      apiUrl("https://api.telegram.org"),
    ],
    steps: {
      connection: [
        "Write /newbot to @BotFather and paste the token here.",
        "For groups: /setprivacy, then Disable, unless a mention is enough.",
      ],
      webhook: ["Write /newbot to @BotFather and paste the token here.", "Handrail registers {address} with its own secret by itself."],
    },
  },
  slack: {
    title: "Slack",
    transports: ["connection", "webhook"],
    fields: [
      { name: "botToken", label: "Bot token", description: "OAuth & Permissions: xoxb-…", isSecret: true },
      { name: "appToken", label: "App-level token", description: "Basic Information: xapp-…", isSecret: true, neededBy: ["connection"] },
      {
        name: "signingSecret",
        label: "Signing secret",
        description: "Basic Information: App Credentials.",
        isSecret: true,
        neededBy: ["webhook"],
      },
      apiUrl("https://slack.com/api"),
    ],
    steps: {
      connection: [
        "Create an app at api.slack.com/apps and switch Socket Mode on, with an app-level token that has connections:write.",
        "Event Subscriptions: app_mention, message.im, message.channels, message.groups. Interactivity: on.",
        "Bot scopes: app_mentions:read, chat:write, im:history, channels:history, groups:history, reactions:write, files:read, files:write, users:read, emoji:read.",
      ],
      webhook: [
        "Create an app at api.slack.com/apps; paste bot token and signing secret here.",
        "Event Subscriptions and Interactivity: both with the address {address}.",
        "Events and scopes as for the socket mode.",
      ],
    },
  },
  email: {
    title: "E-mail",
    transports: ["connection"],
    fields: [
      { name: "address", label: "Address", description: "The agent's own address: it reads and writes as this." },
      { name: "imapHost", label: "IMAP server", description: "Such as imap.example.com:993." },
      { name: "smtpHost", label: "SMTP server", description: "Such as smtp.example.com:465." },
      { name: "user", label: "User", description: "For both servers; the address when empty.", isOptional: true },
      { name: "password", label: "Password", description: "An app password where the provider has them.", isSecret: true },
      {
        name: "authserv",
        label: "Confirmed by",
        description:
          "The name of your mail server at the beginning of Authentication-Results, such as mx.example.com: no other one confirms senders. Any when empty.",
        isOptional: true,
      },
    ],
    steps: { connection: ["Make a mailbox for the agent.", "Every new message in its inbox is answered; it needs an inbox of its own."] },
  },
  discord: {
    title: "Discord",
    transports: ["connection", "webhook"],
    fields: [
      { name: "token", label: "Bot token", description: "Developer Portal: Bot.", isSecret: true },
      { name: "publicKey", label: "Public key", description: "General Information: 64 hexadecimal characters.", neededBy: ["webhook"] },
      apiUrl("https://discord.com/api/v10"),
    ],
    steps: {
      connection: ["Bot: switch Message Content Intent on.", "Invite the bot with the scopes bot and applications.commands."],
      webhook: ["Interactions Endpoint URL: {address}. Only commands and buttons come this way; messages need the connection."],
    },
  },
  whatsapp: {
    title: "WhatsApp",
    transports: ["webhook"],
    fields: [
      { name: "phoneNumberId", label: "Phone number ID", description: "WhatsApp > API Setup." },
      { name: "token", label: "Access token", description: "Of a system user, so that it does not expire.", isSecret: true },
      { name: "appSecret", label: "App secret", description: "App settings > Basic: signs what Meta sends.", isSecret: true },
      { name: "verifyToken", label: "Verify token", description: "A word of your own, the same as in the webhook's form.", isSecret: true },
      apiUrl("https://graph.facebook.com/v23.0"),
    ],
    steps: { webhook: ["Configuration > Webhook: {address} with the verify token.", "Subscribe to messages."] },
  },
  line: {
    title: "LINE",
    transports: ["webhook"],
    fields: [
      { name: "token", label: "Channel access token", description: "Messaging API: long-lived.", isSecret: true },
      { name: "channelSecret", label: "Channel secret", description: "Basic settings: signs what LINE sends.", isSecret: true },
      apiUrl("https://api.line.me"),
    ],
    steps: { webhook: ["Messaging API > Webhook URL: {address}; switch Use webhook on.", "Switch automatic replies off."] },
  },
  lark: {
    title: "Lark / Feishu",
    transports: ["connection", "webhook"],
    fields: [
      { name: "appId", label: "App ID", description: "Credentials & Basic Info: cli_…" },
      { name: "appSecret", label: "App secret", description: "Credentials & Basic Info.", isSecret: true },
      {
        name: "verificationToken",
        label: "Verification token",
        description: "Events & Callbacks > Encryption Strategy.",
        isSecret: true,
        neededBy: ["webhook"],
      },
      { name: "encryptKey", label: "Encrypt key", description: "Signs and encrypts the events.", isSecret: true, neededBy: ["webhook"] },
      { name: "apiUrl", label: "Domain", description: "https://open.larksuite.com (Lark) or https://open.feishu.cn (Feishu)." },
    ],
    steps: {
      connection: [
        "Connect first, then Events & Callbacks > Subscription mode: receive events, and callbacks, through a long connection.",
        "Subscribe to im.message.receive_v1 and card.action.trigger.",
        "Permissions: im:message, im:message:send_as_bot, im:resource; contact:user.base:readonly for the names of people.",
      ],
      webhook: [
        "Events & Callbacks: {address} for events and for callbacks; set the encrypt key.",
        "Subscribe to im.message.receive_v1 and card.action.trigger.",
        "Permissions: im:message, im:message:send_as_bot, im:resource; contact:user.base:readonly for the names of people.",
      ],
    },
  },
  dingtalk: {
    title: "DingTalk",
    transports: ["connection", "webhook"],
    fields: [
      { name: "clientId", label: "Client ID", description: "AppKey of the app; the robot code as well." },
      { name: "clientSecret", label: "Client secret", description: "AppSecret: signs what DingTalk sends.", isSecret: true },
      apiUrl("https://api.dingtalk.com"),
    ],
    steps: {
      connection: ["Robot > message receiving mode Stream.", "Permission: send messages as an enterprise robot."],
      webhook: ["Robot > message receiving mode HTTP: {address}.", "Permission: send messages as an enterprise robot."],
    },
  },
  wecom: {
    title: "WeCom",
    transports: ["webhook"],
    fields: [
      { name: "corpId", label: "Corp ID", description: "My Company." },
      { name: "agentId", label: "AgentId", description: "Of the app." },
      { name: "secret", label: "Secret", description: "Of the app.", isSecret: true },
      { name: "token", label: "Token", description: "API receive: Token.", isSecret: true },
      { name: "aesKey", label: "EncodingAESKey", description: "API receive: 43 characters.", isSecret: true },
      apiUrl("https://qyapi.weixin.qq.com"),
    ],
    steps: { webhook: ["App > Receive messages > Set API: {address} with token and EncodingAESKey."] },
  },
  teams: {
    title: "Microsoft Teams",
    transports: ["webhook"],
    fields: [
      { name: "appId", label: "App ID", description: "Microsoft App ID of the bot." },
      { name: "tenantId", label: "Tenant ID", description: "Of a single-tenant bot." },
      { name: "clientSecret", label: "Client secret", description: "Certificates & secrets.", isSecret: true },
      {
        name: "loginUrl",
        label: "Sign-in address",
        description: "The usual address is https://login.microsoftonline.com.",
        isOptional: true,
      },
      { name: "keysUrl", label: "Address of the keys", description: "The usual one is the Bot Framework's.", isOptional: true },
    ],
    steps: { webhook: ["Azure Bot > Configuration > Messaging endpoint: {address}.", "Channels: Microsoft Teams."] },
  },
  google_chat: {
    title: "Google Chat",
    transports: ["webhook"],
    fields: [
      { name: "projectNumber", label: "Project number", description: "Authentication audience of the app." },
      { name: "serviceAccount", label: "Service account key", description: "The JSON file's text.", isSecret: true },
      apiUrl("https://chat.googleapis.com"),
      {
        name: "tokenUrl",
        label: "Token address",
        description: "The usual address is https://oauth2.googleapis.com/token.",
        isOptional: true,
      },
      { name: "keysUrl", label: "Address of the keys", description: "The usual one is Google's.", isOptional: true },
    ],
    steps: {
      webhook: ["Google Chat API > Configuration > HTTP endpoint URL: {address}, audience Project number.", "Interactive features: on."],
    },
  },
  website: {
    title: "Website",
    isVisited: true,
    transports: ["webhook"],
    fields: [
      {
        name: "origins",
        label: "Sites",
        description: "Addresses of the sites that show the chat, with spaces between, such as https://www.example.com.",
        format: "sites",
      },
      { name: "title", label: "Title", description: "Stands above the chat; the messenger's name when empty.", isOptional: true },
      { name: "greeting", label: "Greeting", description: "The first words of every chat.", isOptional: true },
      {
        name: "messagesPerMinute",
        label: "Messages a minute",
        description: "From all visitors together, at each replica; 60 when empty.",
        isOptional: true,
        format: "perMinute",
      },
    ],
    steps: {
      webhook: ["Paste this line before </body> of each page.", "Visitors are strangers: choose “anyone” for who may write."],
    },
    pasted: '<script async src="{origin}/widget.js" data-messenger="{id}"></script>',
  },
};

/** Kinds of places: one person, a group, or a thread of a group. */
export const placeKinds = ["private", "group", "thread"] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** The place of a conversation: the chat of a messenger. */
export const Place = z
  .object({
    messengerId: z.string(),
    messenger: z.string().describe("Name of the messenger when the conversation began."),
    platform: z.enum(messengerPlatforms),
    kind: z.enum(placeKinds),
    chat: z.string().describe("The platform's id of the chat."),
    thread: z.string().nullable(),
    title: z.string().nullable(),
  })
  .meta({ id: "Place" });
export type Place = z.infer<typeof Place>;
