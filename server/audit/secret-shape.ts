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

/** A kind of secret that can be told by its looks. */
export type SecretShape = {
  /** Kind; the last part of the id of the detector that finds it. */
  kind: (typeof secretKinds)[number];
  /** Global. Its group, or else its whole match, is the secret; a group stands at the end of the match. */
  pattern: RegExp;
  /** Each stands in every text that has one, in small letters: most texts need not be searched. */
  hints?: readonly string[];
  /** Stands in every text that has one, too, and is found sooner than the pattern looks back at every character. */
  sign?: RegExp;
  /** Whether a match is one to mask; all are, where this is absent. */
  isSecret?: (secret: string, match: string) => boolean;
  /** Whether a masked match is evidently a secret; nobody is asked about what is not. */
  isEvident?: (secret: string) => boolean;
};

export const hasDigit = (text: string): boolean => /\d/.test(text);
