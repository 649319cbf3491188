import type { McpServer, McpServerDraft } from "@/contracts/mcp/mcp-servers";

/** An admin's expectations of a server, as form values. */
export type PinFields = {
  trustHints: boolean;
  allowSampling: boolean;
  questions: McpServer["questions"];
  offerContents: boolean;
  /** One upstream name per line; empty: any. */
  expectedTools: string;
  expectedVersion: string;
  packageDigest: string;
};

type PinDraft = Pick<
  McpServerDraft,
  "trustHints" | "allowSampling" | "questions" | "offerContents" | "expectedTools" | "expectedVersion" | "packageDigest"
>;

export const emptyPinFields: PinFields = {
  trustHints: false,
  allowSampling: false,
  questions: "client_first",
  offerContents: false,
  expectedTools: "",
  expectedVersion: "",
  packageDigest: "",
};

export function toPinFields(server: Pick<McpServer, keyof PinDraft>): PinFields {
  const { trustHints, allowSampling, questions, offerContents, expectedTools, expectedVersion, packageDigest } = server;
  return {
    trustHints,
    allowSampling,
    questions,
    offerContents,
    expectedTools: expectedTools?.join("\n") ?? "",
    expectedVersion: expectedVersion ?? "",
    packageDigest: packageDigest ?? "",
  };
}

/** Returns the settings to send; an empty field expects nothing. */
export function toPinDraft({ expectedTools, expectedVersion, packageDigest, ...trust }: PinFields, isStdio: boolean): PinDraft {
  const names = expectedTools
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const { trustHints, allowSampling, questions, offerContents } = trust;
  return {
    trustHints,
    allowSampling,
    questions,
    offerContents,
    expectedTools: names.length > 0 ? names : null,
    expectedVersion: expectedVersion.trim() || null,
    packageDigest: (isStdio && packageDigest.trim()) || null,
  };
}
