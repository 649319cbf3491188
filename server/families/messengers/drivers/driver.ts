import type { PlaceKind } from "@/contracts/messengers/messenger-platforms";
import type { CardButton, ReceivedFile } from "@/db/schema";

/** Something that a person did on a platform. */
export type InboundEvent = {
  /** `click`: a button of a card; `text` is the button's value. */
  kind: "message" | "click";
  /** The platform's id of the event within the account: the same event that comes again has the same key. */
  key: string;
  place: PlaceKind;
  chat: string;
  thread?: string;
  title?: string | null;
  replyTo?: Record<string, string>;
  messageRef: string | null;
  /** An empty name is looked up later with `sender`. */
  sender: { id: string; name: string; email?: string | null };
  text: string;
  /** In groups: the agent is mentioned or replied to. */
  isMention: boolean;
  /** The platform's id of the message to which this one replies; one of ours counts as a mention. */
  repliesTo?: string;
  /** False where the sender is only a claim. */
  isVerified?: boolean;
  files: ReceivedFile[];
  /** Set for a message that is not taken: a sentence for who wrote it. */
  refusal?: string;
};

/** Something that a platform says of what was sent, or of a chat. */
export type Notice =
  /** A message that the platform took did not arrive. */
  | { kind: "undelivered"; chat: string; messageRef: string; reason: string }
  /** A chat has another id from now on. */
  | { kind: "moved"; from: string; to: string };

/** The content of a call of the platform, and the answer once it is stored. */
export type Received = { events: InboundEvent[]; notices?: Notice[]; answer?: { status?: number; body: string; type?: string } };

export type RawRequest = { method: string; headers: Headers; query: URLSearchParams; body: Uint8Array };

/** The destination of a part. */
export type Target = { kind: PlaceKind; chat: string; thread: string | null; replyTo: Record<string, string> | null };

export type SentPart =
  | { kind: "text"; text: string }
  | { kind: "card"; text: string; buttons: readonly CardButton[] }
  | { kind: "file"; name: string; mediaType: string; bytes: Uint8Array; caption: string; as: "file" | "photo" | "voice" };

export type ConnectionSink = {
  /** Stores events, and where the connection goes on, in one transaction. Acknowledge only afterwards. */
  store: (events: readonly InboundEvent[], cursor?: string, notices?: readonly Notice[]) => Promise<void>;
  cursor: string | null;
  /** Call when the platform has accepted the connection. */
  opened: () => void;
  signal: AbortSignal;
};

/** One account of a platform. */
export type Driver = {
  /** Asks who the agent is on the platform. @throws PlatformError when the credentials do not hold */
  identify: (signal: AbortSignal) => Promise<{ id: string; name: string }>;
  /** Reads a call of the platform. @returns null for a call that is not signed as it must be */
  receive?: (request: RawRequest) => Promise<Received | null>;
  /** Tells the platform the callback address, where an API does that. */
  register?: (address: string, signal: AbortSignal) => Promise<void>;
  /** Keeps a connection until the signal aborts. @throws whatever ends the connection */
  connect?: (sink: ConnectionSink) => Promise<void>;
  /** @param key names the part, for platforms that recognise repetitions @returns the platform's id of the message */
  post: (target: Target, part: SentPart, key: string) => Promise<string | null>;
  /** Replaces the text of a message and takes its buttons away. */
  edit?: (target: Target, messageRef: string, text: string) => Promise<void>;
  react?: (target: Target, messageRef: string, emoji: string, isBig: boolean) => Promise<void>;
  /** Shows that an answer is being written. */
  typing?: (target: Target, messageRef: string | null) => Promise<void>;
  /** Tells the platform that a click was taken. */
  answerClick?: (key: string, text: string) => Promise<void>;
  /** Downloads a file of a message. @throws PlatformError */
  file?: (ref: string, maxBytes: number) => Promise<Uint8Array>;
  /** Looks up a person whose name the event does not hold. */
  sender?: (id: string) => Promise<{ name: string; email: string | null }>;
  /** True when names of a custom catalogue are allowed, such as Slack's own emoji. */
  emojiNames?: () => Promise<ReadonlySet<string>>;
};

export type Account = {
  id: string;
  workspaceId: string;
  name: string;
  settings: Record<string, string>;
  secrets: Record<string, string>;
  bot: { id: string; name: string } | null;
};
