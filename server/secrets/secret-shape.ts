export const secretKinds = [
  "aws_key",
  "github_token",
  "slack_token",
  "stripe_key",
  "google_key",
  "model_key",
  "service_token",
  "jwt",
  "bearer",
  "url_password",
  "password",
  "high_entropy",
] as const;

/** A format by which a kind of secret is recognised. */
export type SecretShape = {
  /** Kind of the secret; also the last part of the detector's id. */
  kind: (typeof secretKinds)[number];
  /** Global pattern. Its group, or else the whole match, is the secret; the group is at the end of the match. */
  pattern: RegExp;
  /** Lowercase words that every text with such a secret contains, so that most texts need no search. */
  hints?: readonly string[];
  /** Cheap pattern that also matches every text with such a secret, because lookbehinds of `pattern` are slow. */
  sign?: RegExp;
  /** Tells whether to mask a match. Absent: every match is masked. */
  isSecret?: (secret: string, match: string) => boolean;
  /** Tells whether a masked match is evidently a secret, so that the detector reports it. `after` is the text after the match. */
  isEvident?: (secret: string, match: string, after: string) => boolean;
};

export const hasDigit = (text: string): boolean => /\d/.test(text);
